/** Mentions in wires of spaces, and the notices of mentions and replies (docs/specification/sending.md#mentions). */
import { beforeAll, describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  expectRefused,
  makeContacts,
  NO_ITEMS,
  readWire,
} from "../harness/api-helpers.js";
import { type AgentClient, type Body, NO_LIMITS } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { decideApproval, findApproval, sendHeldWire, setEgressPolicy } from "../harness/egress.js";

const { daemon, owner } = await hostedFixture(["owner"], {
  args: [...NO_LIMITS, "--limit", "mentions_per_hour=60"],
});
let handles = 0;

beforeAll(() => createSpace(owner, "town"));

const newAgent = (fields = {}, human?: string) => daemon.createAgent(`m-${handles++}`, fields, human);

/** Posts to #town. */
const post = (from: AgentClient, fields: Body = {}, space = "town") =>
  from.post("/wires", { to: `#${space}`, text: "secret words", ...fields });
const posted = (from: AgentClient, fields: Body = {}, space = "town") =>
  expectOk(post(from, fields, space), 201);
const noticesOf = async (agent: AgentClient, query = "?limit=100"): Promise<Body[]> =>
  (await expectOk(agent.get(`/inbox${query}`))).space_notices;
const reasonsOf = async (agent: AgentClient) => (await noticesOf(agent)).map(({ reason }) => reason);

describe("a wire in a space", () => {
  // [D18-mentions] [D18-space-notice] [D5-wait]
  it("notifies whom it mentions and the sender of its parent, once each, without its words", async () => {
    const [alice, bob, carol] = [await newAgent(), await newAgent(), await newAgent()];
    const root = await posted(alice);
    const waiting = expectOk(bob.get("/inbox?wait=30"));
    const fields = { reply_to: root.id, mentions: [`@${bob.slug}`, carol.slug] };
    const reply = await posted(carol, fields);
    const { created_at, mentions } = await readWire(alice, reply);
    expect(mentions).toEqual([bob.slug, carol.slug]);
    const common = { wire_id: reply.id, thread_id: root.id, space: "town", sender: carol.slug, created_at };
    const notice = { ...common, reason: "mention" };
    const page = await waiting;
    expect(page).toEqual({ ...NO_ITEMS, space_notices: [notice], next_cursor: expect.any(String) });
    expect(JSON.stringify(page)).not.toContain("secret");
    expect(await noticesOf(bob, `?cursor=${page.next_cursor}`)).toEqual([]);
    expect((await expectOk(bob.owner.get(`/handles/${bob.slug}/inbox`))).space_notices).toEqual([notice]);
    expect(await noticesOf(alice)).toEqual([{ ...common, reason: "reply" }]);
    expect(await noticesOf(carol)).toEqual([]);
    await posted(carol, { reply_to: root.id, mentions: [alice.slug] });
    expect(await reasonsOf(alice)).toEqual(["reply", "mention"]);
    await posted(alice, { reply_to: root.id });
    expect(await noticesOf(alice)).toHaveLength(2);
    const first = await expectOk(alice.get("/inbox?limit=1"));
    expect(first.space_notices).toMatchObject([{ reason: "reply" }]);
    expect(await noticesOf(alice, `?cursor=${first.next_cursor}`)).toMatchObject([{ reason: "mention" }]);
    expect(await readWire(alice, root)).toMatchObject({ mentions: [] });
    expect((await expectOk(alice.get(`/wires/${reply.id}`))).mentions).toEqual([bob.slug, carol.slug]);
  });

  // [D18-mentions]
  it("is rejected with mentions that are malformed, or outside a space", async () => {
    const [alice, bob] = [await newAgent(), await newAgent()];
    const refused = (fields: Body) => expectRefused(post(alice, fields), "VALIDATION_ERROR");
    await refused({ mentions: [bob.slug, `@${bob.slug}`] });
    await refused({ mentions: bob.slug });
    await refused({ mentions: [7] });
    await refused({ mentions: ["#town"] });
    await refused({ mentions: Array.from({ length: 11 }, (_, n) => `nobody-${n}`) });
    await refused({ to: bob.slug, mentions: [bob.slug] });
    for (const mentions of [[], null]) {
      const dm = await posted(alice, { to: bob.slug, mentions });
      expect((await readWire(bob, dm)).mentions).toEqual([]);
    }
    expect(await noticesOf(bob)).toEqual([]);
  });

  // [D18-mentions-reach]
  it("is rejected with 404 if it mentions a handle that does not exist or cannot read the space", async () => {
    const [alice, member, stranger] = [await newAgent(), await newAgent(), await newAgent()];
    const slug = `room-${handles}`;
    const members = [{ handle: member.slug, role: "reader" }];
    await createSpace(alice, slug, { visibility: "private" });
    await expectOk(alice.put(`/spaces/${slug}`, { members }));
    await expectRefused(post(alice, { mentions: ["no-such-handle"] }), "NOT_FOUND");
    await expectRefused(post(alice, { mentions: [member.slug, stranger.slug] }, slug), "NOT_FOUND");
    await posted(alice, { mentions: [member.slug, alice.slug] }, slug);
    expect(await reasonsOf(member)).toEqual(["mention"]);
    expect(await noticesOf(alice)).toEqual([]);
  });
});

describe("no notice is written", () => {
  // [D18-space-notices-setting]
  it("that the profile does not want, from then on", async () => {
    const [alice, bob] = [await newAgent(), await newAgent()];
    expect(await expectOk(bob.get("/profile"))).toMatchObject({ space_notices: "all" });
    const root = await posted(bob);
    const both = async () => {
      await posted(alice, { reply_to: root.id });
      await posted(alice, { mentions: [bob.slug] });
    };
    const set = (space_notices: unknown) => bob.put("/profile", { space_notices });
    await both();
    expect(await expectOk(set("mentions"))).toMatchObject({ space_notices: "mentions" });
    await both();
    await expectOk(set("none"));
    await both();
    expect(await reasonsOf(bob)).toEqual(["reply", "mention", "mention"]);
    const { handles: own } = await expectOk(bob.owner.get("/handles"));
    expect(own.find(({ slug }: Body) => slug === bob.slug)).toMatchObject({ space_notices: "none" });
    for (const invalid of ["some", null, true]) await expectRefused(set(invalid), "VALIDATION_ERROR");
  });

  // [D18-notice-rights]
  it("between accounts of which one has blocked the other", async () => {
    const human = `human-${handles}`;
    const [alice, bob, sister] = [await newAgent(), await newAgent({}, human), await newAgent({}, human)];
    const root = await posted(bob);
    await expectOk(sister.put(`/blocks/${alice.slug}`));
    await posted(alice, { reply_to: root.id, mentions: [sister.slug] });
    expect([await noticesOf(bob), await noticesOf(sister)]).toEqual([[], []]);
    await expectOk(sister.delete(`/blocks/${alice.slug}`));
    await expectOk(alice.put(`/blocks/${sister.slug}`));
    await posted(alice, { mentions: [bob.slug] });
    expect(await noticesOf(bob)).toEqual([]);
    await expectOk(alice.delete(`/blocks/${sister.slug}`));
    await posted(alice, { mentions: [bob.slug] });
    expect(await reasonsOf(bob)).toEqual(["mention"]);
  });

  // [D18-notice-rights]
  it("by strangers to a handle that accepts contacts only, except in its spaces", async () => {
    const [alice, bob] = [await newAgent(), await newAgent({ contact_policy: "contacts_only" })];
    await posted(alice, { mentions: [bob.slug] });
    expect(await noticesOf(bob)).toEqual([]);
    const slug = `club-${handles}`;
    await createSpace(bob, slug);
    await posted(alice, { mentions: [bob.slug] }, slug);
    expect(await noticesOf(bob)).toMatchObject([{ space: slug }]);
    await makeContacts(alice, bob);
    await posted(alice, { mentions: [bob.slug] });
    expect(await noticesOf(bob)).toMatchObject([{ space: slug }, { space: "town" }]);
  });
});

describe("a notice", () => {
  // [D18-notice-read]
  it("is passed over while its space cannot be read, and stays for a removed wire", async () => {
    const [alice, bob] = [await newAgent(), await newAgent()];
    const slug = `den-${handles}`;
    const join = (role: string) =>
      expectOk(alice.put(`/spaces/${slug}`, { members: [{ handle: bob.slug, role }] }));
    await createSpace(alice, slug, { visibility: "private" });
    await join("poster");
    const root = await posted(bob, {}, slug);
    const reply = await posted(alice, { reply_to: root.id }, slug);
    for (let n = 0; n < 2; n++) await posted(alice, { mentions: [bob.slug] }, slug);
    const dm = await posted(alice, { to: bob.slug });
    await join("remove");
    await posted(alice, { reply_to: root.id }, slug);
    for (const [client, path] of [
      [bob, "/inbox"],
      [bob.owner, `/handles/${bob.slug}/inbox`],
    ] as const) {
      const page = await expectOk(client.get(`${path}?limit=1`));
      expect(page).toMatchObject({ wires: [{ id: dm.id }], space_notices: [] });
    }
    await join("reader");
    await expectOk(alice.delete(`/wires/${reply.id}`));
    expect(await reasonsOf(bob)).toEqual(["reply", "mention", "mention"]);
    expect(await noticesOf(bob)).toMatchObject([{ wire_id: reply.id }, {}, {}]);
  });

  // [D18-notice-held]
  it("of a held wire is written at its release, if the mentioned handles can still read the space", async () => {
    const [alice, bob] = [await newAgent(), await newAgent()];
    await setEgressPolicy(alice, { mode: "approval" });
    const root = await posted(bob);
    const fields = { text: "may I?", reply_to: root.id, mentions: [bob.slug] };
    await expectRefused(post(alice, { mentions: ["no-such-handle"] }), "NOT_FOUND");
    const held = await sendHeldWire(alice, "#town", fields);
    expect((await findApproval(alice, held)).wire).toMatchObject({ mentions: [bob.slug] });
    expect(await noticesOf(bob)).toEqual([]);
    await decideApproval(alice, held);
    expect(await noticesOf(bob)).toMatchObject([{ wire_id: held.id, reason: "mention" }]);
    const late = await sendHeldWire(alice, "#town", fields);
    await expectOk(bob.owner.delete(`/handles/${bob.slug}`));
    expect(await decideApproval(alice, late)).toMatchObject({
      status: "approved",
      error: { code: "NOT_FOUND" },
    });
  });

  // [D5-nothing-skipped] [D18-space-notice]
  it("has its place in the inbox, whatever else arrives at the same time", async () => {
    const [bob, ...senders] = await Promise.all(Array.from({ length: 5 }, () => newAgent()));
    const root = await posted(bob!);
    const sending = senders.flatMap((sender) => [
      posted(sender, { reply_to: root.id }),
      posted(sender, { mentions: [bob!.slug, senders[0]!.slug] }),
      posted(sender, { to: bob!.slug }),
      posted(bob!, { reply_to: root.id, mentions: [sender.slug] }),
    ]);
    await Promise.all(sending);
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await expectOk(bob!.get(`/inbox?limit=3${cursor && `&cursor=${cursor}`}`));
      if (page.next_cursor === cursor) break;
      seen.push(...page.wires.map(({ id }: Body) => id));
      seen.push(...page.space_notices.map(({ wire_id }: Body) => wire_id));
      cursor = page.next_cursor;
    }
    expect(seen).toHaveLength(12);
    expect(new Set(seen).size).toBe(12);
    expect(await noticesOf(senders[0]!)).toHaveLength(4);
  });

  // [D18-notice-export]
  it("is in the export of the account", async () => {
    const [alice, bob] = [await newAgent(), await newAgent()];
    const { id } = await posted(alice, { mentions: [bob.slug] });
    const claims = { sub: bob.slug, email: `${bob.slug}@example.com` };
    const authorization = `Bearer ${await daemon.issuer.token({ claims })}`;
    const response = await fetch(`${daemon.base}/export`, { headers: { authorization } });
    const lines = (await response.text()).trim().split("\n");
    const notices = lines
      .map((line) => JSON.parse(line) as Body)
      .filter(({ type }) => type === "space_notice");
    expect(notices).toMatchObject([{ owner_handle_id: bob.id, wire_id: id, reason: "mention" }]);
  });
});

describe("mentions_per_hour", () => {
  const limitOf = async (agent: AgentClient): Promise<Body> => {
    const { limits } = await expectOk(agent.get("/limits"));
    return limits.find(({ name }: Body) => name === "mentions_per_hour");
  };

  // [D18-mentions-limit]
  it("counts every mention in a stored or held wire, and refuses nothing else", async () => {
    const alice = await newAgent();
    const others = await Promise.all(Array.from({ length: 10 }, () => newAgent()));
    const mentions = others.map(({ slug }) => slug);
    expect(await limitOf(alice)).toMatchObject({ limit: 60, remaining: 60, window: 3_600, reset: 0 });
    await expectRefused(post(alice, { mentions: ["no-such-handle"] }), "NOT_FOUND");
    for (let n = 0; n < 5; n++) await posted(alice, { mentions });
    await setEgressPolicy(alice, { mode: "approval" });
    const held = await sendHeldWire(alice, "#town", { text: "x", mentions: mentions.slice(0, 8) });
    await decideApproval(alice, held);
    await setEgressPolicy(alice, { mode: "open" });
    expect(await limitOf(alice)).toMatchObject({ remaining: 2, reset: expect.any(Number) });
    const refused = await expectRefused(post(alice, { mentions: mentions.slice(0, 3) }), "RATE_LIMITED");
    expect(refused.retry_after).toBeGreaterThan(3_500);
    await posted(alice, { mentions: mentions.slice(0, 2) });
    await expectRefused(post(alice, { mentions: ["no-such-handle"] }), "RATE_LIMITED");
    await expectRefused(post(alice, { to: "no-such-handle", mentions: [] }), "NOT_FOUND");
    await posted(alice);
    expect(await limitOf(alice)).toMatchObject({ remaining: 0 });
  });
});
