/** Calls every operation of the contract once, through the SDK and a real daemon. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fetch, ForbiddenError, Wireroom, WireroomDashboard } from "../../sdk/src/index.js";
import { operations } from "../../src/contract/index.js";
import { addConnection } from "../harness/connections.js";
import { NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { countHeld } from "../harness/held-requests.js";
import { grantOperator } from "../harness/operator.js";
import { addSignIn } from "../harness/sign-ins.js";

let daemon: TestDaemon;
let dashboard: WireroomDashboard;
let alice: Wireroom;
let bob: Wireroom;

/** Operations that returned a success, by method and path. */
const succeeded = new Set<string>();

const recording: Fetch = async (url, init) => {
  const answer = await fetch(url, init);
  const { pathname } = new URL(url);
  if (answer.ok) succeeded.add(`${init.method} ${pathname.replace("/v1", "")}`);
  return answer;
};

beforeAll(async () => {
  daemon = await startDaemon({ isHosted: true, args: NO_LIMITS });
  const idToken = await daemon.issuer.token({ claims: { sub: "ada", email: "ada@example.com" } });
  const other = await daemon.issuer.token({ claims: { sub: "ben", email: "ben@example.com" } });
  dashboard = new WireroomDashboard({ idToken, baseUrl: daemon.base, fetch: recording });
  const bens = new WireroomDashboard({ idToken: other, baseUrl: daemon.base });
  alice = await agentOf(dashboard, "alice");
  bob = await agentOf(bens, "bob");
});

afterAll(async () => {
  await daemon.stop();
});

async function agentOf(owner: WireroomDashboard, slug: string): Promise<Wireroom> {
  const handle = await owner.handles.create({ slug, discoverable: true, tags: ["weather"] });
  const { key } = await owner.keys.issue({ handle_id: handle.id });
  return new Wireroom({ apiKey: key, baseUrl: daemon.base, fetch: recording });
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("the dashboard client", () => {
  it("shows the account and its handles", async () => {
    expect((await dashboard.account.get()).email).toBe("ada@example.com");
    expect(await dashboard.account.update({ approval_mails: false })).toEqual(await dashboard.account.get());
    const { handles } = await dashboard.handles.list();
    expect(handles.map(({ slug }) => slug)).toEqual(["alice"]);
  });

  it("issues, lists and revokes keys", async () => {
    const { handles } = await dashboard.handles.list();
    const issued = await dashboard.keys.issue({ handle_id: handles[0]!.id });
    expect(issued.key.startsWith(issued.prefix)).toBe(true);
    expect(await dashboard.keys.revoke({ id: issued.id })).toEqual({ id: issued.id, revoked: true });
    const { keys } = await dashboard.keys.list();
    expect(keys.find(({ id }) => id === issued.id)?.revoked_at).toEqual(expect.any(String));
  });

  it("lists and revokes connections, and issues and revokes access tokens", async () => {
    const connection = await addConnection(daemon, "alice");
    expect((await dashboard.connections.list()).connections).toMatchObject([{ id: connection.id }]);
    expect(await dashboard.connections.revoke({ id: connection.id })).toMatchObject({ revoked: true });
    expect(await collect(dashboard.connections.list())).toEqual([]);
    const { token } = await dashboard.handles.issueToken({ slug: "alice" });
    expect(token).toMatch(/^wt_/);
    expect(await dashboard.handles.revokeToken({ slug: "alice", token })).toEqual({ revoked: true });
  });
});

describe("sign-ins", () => {
  it("are listed and ended", async () => {
    const [first, second] = [await addSignIn(daemon, "ada"), await addSignIn(daemon, "ada")];
    const listed = await collect(dashboard.signIns.list({ limit: 1 }));
    expect(listed).toMatchObject([
      { id: second, client: "wireroom-console", current: false },
      { id: first, client: "wireroom-console", current: false },
    ]);
    expect(await dashboard.signIns.end({ id: first })).toEqual({ id: first, ended: true });
    expect(await dashboard.signIns.endOthers()).toEqual({ ended: 1 });
    expect((await dashboard.signIns.list()).sign_ins).toEqual([]);
  });
});

describe("wires", () => {
  it("are sent, read by id and by URI, replied to, read as a thread and deleted", async () => {
    const sent = await alice.wires.send({ to: "@bob", text: "How is Oslo?" });
    const wire = await bob.wires.get({ id: sent.uri });
    expect(wire).toMatchObject({ id: sent.id, text_body: "How is Oslo?", payload: null });
    for (const text of ["Rainy", "Still rainy"])
      await bob.wires.send({ to: "alice", text, reply_to: sent.id });
    const first = await alice.threads.get({ id: sent.id, limit: 2 });
    expect(first.wires.map((one) => one.text_body)).toEqual(["How is Oslo?", "Rainy"]);
    expect(first.items).toBe(first.wires);
    expect((await first.next())?.items.map((one) => one.text_body)).toEqual(["Still rainy"]);
    expect(await (await first.next())?.next()).toBeUndefined();
    expect(Object.keys(first)).not.toContain("items");
    const all = await collect(alice.threads.get({ id: sent.id, limit: 1 }));
    const { wires } = await dashboard.handles.inbox({ slug: "alice" });
    expect(wires.map((one) => one.text_body)).toContain("Still rainy");
    expect(await collect(dashboard.handles.thread({ slug: "alice", id: sent.id, limit: 1 }))).toEqual(all);
    expect(all.map((one) => one.text_body)).toEqual(["How is Oslo?", "Rainy", "Still rainy"]);
    expect((await dashboard.handles.activity({ slug: "alice" })).hours).toHaveLength(24);
    const deleted = await alice.wires.delete({ id: sent.id });
    expect(deleted.tombstone.removed_by).toBe("sender");
  });

  it("have payloads of the caller's type", async () => {
    interface Order {
      city: string;
      days: number;
    }
    const sent = await alice.wires.send<Order>({ to: "@bob", payload: { city: "Oslo", days: 3 } });
    const wire = await bob.wires.get<Order>({ id: sent.id });
    expect(wire.payload?.city).toBe("Oslo");
  });

  it("stay in the inbox until they are read", async () => {
    const page = await bob.inbox.read({ limit: 1, wait: 1 });
    expect(page.wires).toHaveLength(1);
    expect(page.next_cursor).toBeTypeOf("string");
  });
});

describe("knocks, contacts and blocks", () => {
  it("turn an unknown handle into a contact, and back", async () => {
    await bob.profile.update({ contact_policy: "contacts_only" });
    const knock = await alice.knocks.send({ handle: "@bob", intro: "I sell weather data." });
    expect(knock.status).toBe("pending");
    const { knocks } = await bob.knocks.list({ status: "pending" });
    expect(knocks.map(({ id }) => id)).toEqual([knock.id]);
    expect(await collect(alice.knocks.list({ direction: "sent" }))).toHaveLength(1);
    expect((await bob.knocks.answer({ id: knock.id, status: "accepted" })).status).toBe("accepted");
    expect((await bob.contacts.list()).contacts.map(({ handle }) => handle)).toEqual(["alice"]);
    expect(await collect(alice.contacts.list())).toHaveLength(1);
    expect(await bob.contacts.remove({ handle: "@alice" })).toEqual({ handle: "alice", removed: true });
    expect((await bob.blocks.add({ handle: "alice" })).blocked).toBe(true);
    expect((await bob.blocks.list()).blocks).toHaveLength(1);
    expect(await collect(bob.blocks.list())).toHaveLength(1);
    expect((await bob.blocks.remove({ handle: "alice" })).blocked).toBe(false);
    await bob.profile.update({ contact_policy: "open" });
  });
});

describe("egress policies and approvals", () => {
  it("hold a wire until its human approves it", async () => {
    await dashboard.egress.update({ slug: "@alice", mode: "approval" });
    const held = await alice.wires.send({ to: "@bob", text: "May I?" });
    expect(held.status).toBe("held");
    const { approvals } = await dashboard.approvals.list({ status: "pending", handle: "alice" });
    expect(approvals.map(({ target, wire }) => [target, wire?.id])).toEqual([["@bob", held.id]]);
    expect(await collect(dashboard.approvals.list({ limit: 1 }))).toHaveLength(1);
    expect((await dashboard.approvals.get({ id: approvals[0]!.id })).wire?.id).toBe(held.id);
    const answer = { id: approvals[0]!.id, status: "approved", remember: true } as const;
    expect((await dashboard.approvals.answer(answer)).error).toBeNull();
    expect((await dashboard.egress.get({ slug: "alice" })).allow).toEqual(["@bob"]);
    await dashboard.egress.update({ slug: "alice", mode: "open", allow: [] });
  });
});

describe("spaces", () => {
  it("are created, managed, posted to, voted on, read and searched", async () => {
    const rule = { allow_text: true, votable: true, claimable: true };
    const space = await alice.spaces.create({ slug: "ops", visibility: "public", root_rule: rule });
    expect(space.root_rule).toMatchObject(rule);
    const detail = await alice.spaces.update({
      slug: "ops",
      description: "Incidents",
      members: [{ handle: "@bob", role: "poster" }],
    });
    expect(detail.member_counts).toMatchObject({ owner: 1, poster: 1 });
    expect((await alice.spaces.get({ slug: "ops" })).description).toBe("Incidents");
    const { members } = await alice.spaces.members({ slug: "ops" });
    expect(members.map(({ handle, role }) => `${handle} ${role}`)).toEqual(["alice owner", "bob poster"]);
    expect(await collect(alice.spaces.members({ slug: "ops", limit: 1 }))).toHaveLength(2);
    expect((await bob.spaces.list()).spaces[0]).toMatchObject({ slug: "ops", role: "poster" });
    expect(await collect(bob.spaces.list())).toHaveLength(1);

    const texts = ["disk full", "disk replaced", "all quiet"];
    const ids: string[] = [];
    for (const text of texts) ids.push((await bob.wires.send({ to: "#ops", text })).id);
    expect(await alice.wires.vote({ id: ids[0]! })).toEqual({ voted: true, vote_count: 1 });
    const sent = await collect(bob.sent.list({ to: "#ops", limit: 1, brief: true }));
    expect(sent.map(({ cut }) => cut)).toEqual([false, false, false]);
    const top = await alice.spaces.feed({ slug: "ops", order: "top", roots_only: true, limit: 1 });
    expect(top.wires[0]).toMatchObject({ id: ids[0], vote_count: 1 });
    const all = await collect(alice.spaces.feed({ slug: "ops", limit: 2 }));
    expect(all.map(({ text_body }) => text_body)).toEqual([...texts].reverse());
    expect((await alice.spaces.search({ slug: "ops", q: "disks -replaced" })).wires).toHaveLength(1);
    expect(await collect(alice.spaces.search({ slug: "ops", q: "disk", limit: 1 }))).toHaveLength(2);
    const { id: message } = await bob.wires.send({ to: "@alice", text: "a full disk" });
    expect((await collect(alice.wires.search({ q: "disk" }))).map(({ id }) => id)).toEqual([message]);
    expect(await alice.wires.unvote({ id: ids[0]! })).toEqual({ voted: false, vote_count: 0 });
    const { token, until } = await alice.wires.claim({ id: ids[0]! }, { idempotencyKey: "once" });
    expect(await alice.wires.claim({ id: ids[0]! }, { idempotencyKey: "once" })).toMatchObject({ token });
    expect(await alice.wires.claim({ id: ids[0]! })).toEqual({ claimed: false, by: "alice", until });
    expect(await alice.wires.unclaim({ id: ids[0]!, token })).toEqual({ released: true });
    const { claims } = await alice.spaces.claim({ slug: "ops", limit: 2, seconds: 60 });
    expect(claims.map(({ wire }) => wire.id)).toEqual([ids[1], ids[2]]);
    const removed = await alice.spaces.removeWire({ slug: "ops", id: ids[0]! });
    expect(removed.tombstone.removed_by).toBe("mod");
  });
});

describe("a feed that is read from its present end", () => {
  it("waits for what is new, and ends when nothing new has arrived during the wait", async () => {
    await alice.spaces.create({ slug: "news", visibility: "public" });
    await alice.wires.send({ to: "#news", text: "old" });
    const reading = collect(alice.spaces.feed({ slug: "news", order: "oldest", cursor: "latest", wait: 2 }));
    await expect.poll(() => countHeld(daemon), { interval: 20 }).toBe(1);
    await alice.wires.send({ to: "#news", text: "new" });
    expect((await reading).map(({ text_body }) => text_body)).toEqual(["new"]);
  });
});

describe("schemas, the switchboard, the profile and limits", () => {
  it("have methods that succeed", async () => {
    const registered = await alice.schemas.register({
      subject: "@alice/price-quote",
      json_schema: { type: "object", required: ["price"] },
      compat: "backward",
    });
    expect(registered).toEqual({ ref: "@alice/price-quote@1", version: 1 });
    expect((await bob.schemas.get({ ref: "@alice/price-quote" })).json_schema).toMatchObject({
      type: "object",
    });
    const found = await bob.switchboard.search({ type: "handles", tags: "weather", q: "alice" });
    expect(found.map((one) => one.type === "handle" && one.slug)).toEqual(["alice"]);
    expect((await alice.profile.update({ bio: "Sells weather data" })).bio).toBe("Sells weather data");
    expect((await alice.profile.get()).slug).toBe("alice");
    expect((await alice.limits.get()).limits.map(({ name }) => name)).toContain("wires_per_minute");
  });
});

describe("operators, the audit log, the export and retirement", () => {
  it("have methods that succeed", async () => {
    await grantOperator(daemon, "@alice");
    const { id } = await bob.wires.send({ to: "@alice", text: "spam" });
    expect((await alice.operator.getWire({ id })).text_body).toBe("spam");
    expect((await collect(alice.operator.listWires({ sender: "@bob", brief: true })))[0]!.id).toBe(id);
    const removed = await alice.operator.removeWire({ id, reason: "spam, 100 %" });
    expect(removed.tombstone.removed_by).toBe("operator");
    expect(await alice.operator.setSuspended({ slug: "@bob", suspended: true })).toEqual({
      slug: "bob",
      suspended: true,
    });
    await expect(bob.profile.get()).rejects.toBeInstanceOf(ForbiddenError);
    expect(await alice.operator.getStatus()).toMatchObject({ writable: true, failed_requests: 0 });
    const { handles } = await alice.operator.listHandles({ suspended: true });
    expect(handles).toMatchObject([{ slug: "bob" }]);
    expect(await alice.operator.getHandle({ slug: "bob" })).toMatchObject({ suspended_by: "@alice" });
    await alice.operator.setSuspended({ slug: "@bob", suspended: false });

    const removals = await dashboard.audit.list({ action: "wire.removed" });
    expect(removals.entries[0]).toMatchObject({ reason: "spam, 100 %" });
    const { entries } = await dashboard.audit.list({ action: "operator.granted" });
    expect(entries).toMatchObject([{ actor: "host", subject: "@alice", request_id: null }]);
    const all = await collect(dashboard.audit.list({ limit: 2 }));
    const lines = await collect(dashboard.account.export());
    expect(lines.filter(({ type }) => type === "audit")).toHaveLength(all.length + 1);
    expect(lines.at(-1)).toEqual({ type: "end", lines: lines.length - 1 });

    await dashboard.handles.create({ slug: "gone-soon" });
    expect(await dashboard.handles.retire({ slug: "@gone-soon" })).toEqual({
      slug: "gone-soon",
      retired: true,
    });
  });
});

describe("an account", () => {
  it("is deleted with its e-mail address as a confirmation", async () => {
    const idToken = await daemon.issuer.token({ claims: { sub: "cy", email: "cy@example.com" } });
    const leaver = new WireroomDashboard({ idToken, baseUrl: daemon.base, fetch: recording });
    await expect(leaver.account.delete({ email: "ada@example.com" })).rejects.toThrow(/e-mail address/);
    const { id } = await leaver.account.get();
    expect(await leaver.account.delete({ email: "cy@example.com" })).toEqual({ id, deleted: true });
    await expect(leaver.account.get()).rejects.toBeInstanceOf(ForbiddenError);
  });
});

it("calls every operation of the contract", () => {
  const missing = operations.filter(({ method, path }) => {
    const pattern = new RegExp(`^${method} ${path.replace(/\{\w+\}/g, "[^/]+")}$`);
    return ![...succeeded].some((call) => pattern.test(call));
  });
  expect(missing.map(({ id }) => id)).toEqual([]);
});
