import { beforeAll, describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  expectRefused,
  makeContacts,
  readWire,
  sendWire,
} from "../harness/api-helpers.js";
import { type AgentClient, type Body, NO_LIMITS } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { setEgressPolicy } from "../harness/egress.js";
import { grantOperator } from "../harness/operator.js";

const { daemon, alice, bob, carol, dave } = await hostedFixture(["alice", "bob", "carol", "dave"]);
const limited = await hostedFixture(["owner", "eve"], {
  args: [...NO_LIMITS, "--limit", "claims_per_handle=5"],
});

const CLAIMABLE = { allow_text: true, claimable: true };
const PLAIN = { allow_text: true };
const OPEN = { state: "open", by: null, until: null, attempt: 0 };
let spaces = 0;

/** Creates a space in which @bob and @carol are posters, @dave reads, and root wires can be claimed. */
async function newQueue(fields: Record<string, unknown> = {}): Promise<string> {
  const slug = `queue-${spaces++}`;
  await createSpace(alice, slug, { root_rule: CLAIMABLE, ...fields });
  await setRoles(slug, { bob: "poster", carol: "poster", dave: "reader" });
  return slug;
}

const setRoles = (slug: string, roles: Record<string, string>) =>
  expectOk(
    alice.put(`/spaces/${slug}`, {
      members: Object.entries(roles).map(([handle, role]) => ({ handle, role })),
    }),
  );

const job = async (slug?: string) => sendWire(alice, `#${slug ?? (await newQueue())}`, { text: "a job" });
const put = (agent: AgentClient, wire: Body, body: Body = {}, headers = {}) =>
  agent.put(`/wires/${wire.id}/claim`, body, headers);
const claim = (agent: AgentClient, wire: Body, body: Body = {}) => expectOk(put(agent, wire, body));
const release = (agent: AgentClient, wire: Body, token?: string) =>
  agent.delete(`/wires/${wire.id}/claim${token === undefined ? "" : `?token=${encodeURIComponent(token)}`}`);
const claimOf = async (wire: Body) => (await readWire(alice, wire)).claim;
const inFuture = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
const limitOf = async (agent: AgentClient) =>
  (await expectOk(agent.get("/limits"))).limits.find(({ name }: Body) => name === "claims_per_handle");

beforeAll(async () => {
  for (const agent of [bob, carol, dave]) await makeContacts(alice, agent);
});

describe("a claim", () => {
  // [D19-claim] [D19-claim-shown] [D19-attempt]
  it("is made by one handle, and shown on the wire", async () => {
    const wire = await job();
    expect(await claimOf(wire)).toEqual(OPEN);
    const before = inFuture(599);
    const made = await claim(bob, wire);
    expect(made).toEqual({ claimed: true, token: expect.any(String), until: expect.any(String), attempt: 1 });
    expect(made.until > before && made.until < inFuture(601)).toBe(true);
    expect(await claimOf(wire)).toEqual({ state: "claimed", by: "bob", until: made.until, attempt: 1 });
  });

  // [D19-claim-held]
  it("is refused while another handle or another worker of the same handle holds it", async () => {
    const wire = await job();
    const { until } = await claim(bob, wire);
    for (const agent of [carol, bob])
      expect(await claim(agent, wire)).toEqual({ claimed: false, by: "bob", until });
    expect((await claimOf(wire)).attempt).toBe(1);
  });

  // [D19-claim-once]
  it("goes to one of many callers", async () => {
    const wire = await job();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => claim([alice, bob, carol][n % 3]!, wire)),
    );
    expect(answers.filter(({ claimed }) => claimed)).toHaveLength(1);
    expect((await claimOf(wire)).attempt).toBe(1);
  });

  // [D19-extend]
  it("is extended with its token, by `seconds` from now", async () => {
    const wire = await job();
    const { token } = await claim(bob, wire, { seconds: 86_400 });
    const extended = await claim(bob, wire, { token, seconds: 60 });
    expect(extended).toEqual({ claimed: true, token, until: expect.any(String), attempt: 1 });
    expect(extended.until < inFuture(61)).toBe(true);
    expect((await claimOf(wire)).until).toBe(extended.until);
  });

  // [D19-expiry] [D19-extend]
  it("expires, and is extended by its token until another handle has claimed the wire", async () => {
    const wire = await job();
    const { token } = await claim(bob, wire, { seconds: 1 });
    await expect.poll(() => claimOf(wire)).toEqual({ ...OPEN, attempt: 1 });
    expect(await claim(bob, wire, { token, seconds: 1 })).toMatchObject({ claimed: true, attempt: 1 });
    await expect.poll(() => claimOf(wire)).toEqual({ ...OPEN, attempt: 1 });
    expect(await claim(carol, wire)).toMatchObject({ claimed: true, attempt: 2 });
    await expectRefused(put(bob, wire, { token }), "FORBIDDEN");
    await expectRefused(put(bob, wire, { token, done: true }), "FORBIDDEN");
  });

  // [D19-done] [D19-claim-held]
  it("is finished for good, and finishing it again changes nothing", async () => {
    const wire = await job();
    const { token } = await claim(bob, wire);
    const finished = { claimed: true, done: true, token, until: null, attempt: 1 };
    for (let n = 0; n < 2; n++) expect(await claim(bob, wire, { token, done: true })).toEqual(finished);
    expect(await claimOf(wire)).toEqual({ state: "done", by: "bob", until: null, attempt: 1 });
    expect(await claim(carol, wire)).toEqual({ claimed: false, by: "bob", until: null });
    await expectRefused(put(bob, wire, { token }), "FORBIDDEN");
    expect(await expectOk(release(bob, wire, token))).toEqual({ released: true });
    expect((await claimOf(wire)).state).toBe("done");
  });

  // [D19-reopen]
  it("is reopened by an owner or mod, without its token", async () => {
    const slug = await newQueue();
    const wire = await job(slug);
    const { token } = await claim(bob, wire);
    await expectRefused(put(alice, wire, { reopen: true }), "VALIDATION_ERROR");
    await claim(bob, wire, { token, done: true });
    await expectRefused(put(bob, wire, { reopen: true }), "FORBIDDEN");
    await setRoles(slug, { carol: "mod" });
    expect(await claim(carol, wire, { reopen: true })).toEqual({ reopened: true });
    await expectRefused(put(carol, wire, { reopen: true }), "VALIDATION_ERROR");
    expect(await claimOf(wire)).toEqual({ ...OPEN, attempt: 1 });
    await expectRefused(put(bob, wire, { token, done: true }), "FORBIDDEN");
    expect(await claim(bob, wire)).toMatchObject({ attempt: 2 });
  });

  // [D19-claim-input]
  it("has 1 to 86,400 seconds; `done` needs a token, and `reopen` stands alone", async () => {
    const wire = await job();
    const token = "1.aaaaaaaaaaa";
    const bad = [{ seconds: 0 }, { seconds: 86_401 }, { seconds: "9" }, { done: true }, { token: "" }];
    for (const body of [...bad, { reopen: true, token }, { reopen: true, seconds: 9 }, { hours: 1 }])
      await expectRefused(put(bob, wire, body), "VALIDATION_ERROR");
    await claim(bob, wire, { seconds: 86_400 });
  });

  // [D19-claim-once]
  it("comes again for a repeated Idempotency-Key; a refusal does not", async () => {
    const wire = await job();
    const headers = { "idempotency-key": "claim-1" };
    const made = await expectOk(put(bob, wire, {}, headers));
    expect(await expectOk(put(bob, wire, {}, headers))).toEqual(made);
    await expectRefused(put(bob, wire, { seconds: 5 }, headers), "VALIDATION_ERROR");
    const later = { "idempotency-key": "claim-2" };
    expect(await expectOk(put(carol, wire, {}, later))).toMatchObject({ claimed: false });
    await expectOk(release(bob, wire, made.token));
    expect(await expectOk(put(carol, wire, {}, later))).toMatchObject({ claimed: true, attempt: 2 });
  });
});

describe("a claim that is given back", () => {
  // [D19-release]
  it("opens the wire, again with the same answer, and never ends a later claim", async () => {
    const wire = await job();
    const { token } = await claim(bob, wire);
    for (let n = 0; n < 2; n++) expect(await expectOk(release(bob, wire, token))).toEqual({ released: true });
    expect(await claimOf(wire)).toEqual({ ...OPEN, attempt: 1 });
    await expectRefused(put(bob, wire, { token }), "FORBIDDEN");
    await claim(bob, wire);
    expect(await expectOk(release(bob, wire, token))).toEqual({ released: true });
    expect(await claimOf(wire)).toMatchObject({ state: "claimed", by: "bob", attempt: 2 });
  });

  // [D19-release] [D19-token-own]
  it("needs a token that the handle had on this wire", async () => {
    const [slug, other] = [await newQueue(), await job()];
    const wire = await job(slug);
    const { token } = await claim(bob, wire);
    const ofOther = (await claim(bob, other)).token;
    for (const [agent, wrong] of [
      [carol, token],
      [bob, ofOther],
      [bob, "2.aaaaaaaaaaa"],
      [bob, "x"],
    ] as const) {
      await expectRefused(release(agent, wire, wrong), "FORBIDDEN");
      await expectRefused(put(agent, wire, { token: wrong }), "FORBIDDEN");
    }
    expect(await claimOf(wire)).toMatchObject({ state: "claimed", by: "bob" });
  });

  // [D19-release-owner]
  it("needs no token from the owner and mods; a poster's is required", async () => {
    const slug = await newQueue();
    const wire = await job(slug);
    const { token } = await claim(bob, wire);
    await expectRefused(release(carol, wire), "FORBIDDEN");
    await expectRefused(release(bob, wire), "FORBIDDEN");
    for (let n = 0; n < 2; n++) expect(await expectOk(release(alice, wire))).toEqual({ released: true });
    expect((await claimOf(wire)).state).toBe("open");
    await expectRefused(put(bob, wire, { token }), "FORBIDDEN");
    await setRoles(slug, { carol: "mod" });
    await claim(bob, wire);
    await expectOk(release(carol, wire));
    expect((await claimOf(wire)).state).toBe("open");
  });
});

describe("the right to claim", () => {
  // [D19-who]
  it("belongs to the owner, mods and posters who may post", async () => {
    const slug = await newQueue();
    const wire = await job(slug);
    const stranger = await daemon.createAgent("stranger");
    for (const agent of [dave, stranger]) await expectRefused(put(agent, wire), "FORBIDDEN");
    await expectOk(alice.put(`/spaces/${slug}`, { posting_rights: "members" }));
    for (const agent of [dave, stranger]) await expectRefused(put(agent, wire), "POSTING_DENIED");
    await expectOk(alice.put(`/spaces/${slug}`, { posting_rights: "mods" }));
    await expectRefused(put(bob, wire), "POSTING_DENIED");
    expect(await claim(alice, wire)).toMatchObject({ claimed: true });
  });

  // [D19-who]
  it("in a private space is unknown to strangers", async () => {
    const slug = await newQueue({ visibility: "private" });
    const wire = await job(slug);
    const stranger = await daemon.createAgent("stranger-2");
    await expectRefused(put(stranger, wire), "NOT_FOUND");
    await expectRefused(release(stranger, wire), "NOT_FOUND");
    await expectRefused(put(bob, { id: "no-such-wire" }), "NOT_FOUND");
    await expectRefused(daemon.client().put(`/wires/${wire.id}/claim`, {}), "UNAUTHORIZED");
    expect(await claim(bob, wire)).toMatchObject({ claimed: true });
  });

  // [D19-not-claimable]
  it("does not exist for DMs, removed wires and wires of other rules", async () => {
    const slug = await newQueue();
    const wire = await job(slug);
    await claim(bob, wire);
    const dm = await sendWire(alice, "bob", { text: "hi", reply_rule: CLAIMABLE });
    const reply = await sendWire(bob, `#${slug}`, { text: "re", reply_to: wire.id });
    for (const one of [dm, reply]) {
      await expectRefused(put(bob, one), "FORBIDDEN");
      expect(await readWire(bob, one)).not.toHaveProperty("claim");
    }
    await expectOk(alice.delete(`/wires/${wire.id}`));
    expect(await readWire(bob, wire)).not.toHaveProperty("claim");
    await expectRefused(put(carol, wire), "FORBIDDEN");
    await expectRefused(release(alice, wire), "FORBIDDEN");
  });

  // [D19-claimable-now]
  it("follows the current rule, and claims outlive its changes", async () => {
    const slug = await newQueue();
    const wire = await job(slug);
    const { token } = await claim(bob, wire);
    await expectOk(alice.put(`/spaces/${slug}`, { root_rule: PLAIN }));
    expect(await readWire(alice, wire)).not.toHaveProperty("claim");
    await expectRefused(put(bob, wire, { token }), "FORBIDDEN");
    await expectOk(alice.put(`/spaces/${slug}`, { root_rule: CLAIMABLE }));
    expect(await claimOf(wire)).toMatchObject({ state: "claimed", by: "bob", attempt: 1 });
    expect(await claim(bob, wire, { token })).toMatchObject({ claimed: true });
  });

  // [D19-claimable-now] [D19-rule]
  it("on replies follows the space's reply rule, or the parent's where the space allows it", async () => {
    const space = await createSpace(alice, "own-rules", { allow_wire_reply_rules: true });
    expect(space.reply_rule).not.toHaveProperty("claimable");
    await setRoles("own-rules", { bob: "poster" });
    const asking = await sendWire(alice, "#own-rules", {
      text: "who does these?",
      reply_rule: { ...CLAIMABLE, votable: true },
    });
    expect((await readWire(bob, asking)).reply_rule).toMatchObject({ claimable: true });
    const task = await sendWire(alice, "#own-rules", { text: "a task", reply_to: asking.id });
    expect(await claimOf(task)).toEqual(OPEN);
    expect(await readWire(bob, task)).toMatchObject({ vote_count: 0 });
    expect(await claim(bob, task)).toMatchObject({ claimed: true });
    await expectRefused(put(bob, asking), "FORBIDDEN");
    const shown = async (query: string) =>
      (await expectOk(bob.get(`/spaces/own-rules/wires${query}`))).wires.map(
        ({ claim }: Body) => claim?.state,
      );
    expect(await shown("")).toEqual(["claimed", undefined]);
    expect(await shown("?roots_only=true")).toEqual([undefined]);
    await expectOk(alice.put("/spaces/own-rules", { allow_wire_reply_rules: false }));
    expect(await shown("")).toEqual([undefined, undefined]);
    const { reply_rule } = await expectOk(alice.put("/spaces/own-rules", { reply_rule: CLAIMABLE }));
    expect(reply_rule.claimable).toBe(true);
    expect(await shown("?order=top")).toEqual(["claimed", undefined]);
  });

  // [D19-claim-shown]
  it("is shown in the same way by wire, thread, feeds, search and sent wires", async () => {
    const slug = await newQueue({ root_rule: { ...CLAIMABLE, votable: true } });
    const wire = await sendWire(alice, `#${slug}`, { text: "peculiar" });
    await claim(bob, wire);
    const first = await readWire(alice, wire);
    expect(first).toMatchObject({ vote_count: 0, claim: { state: "claimed" } });
    for (const path of [
      `/threads/${wire.id}`,
      ...["", "?order=oldest", "?order=top", "?roots_only=true"].map(
        (query) => `/spaces/${slug}/wires${query}`,
      ),
      `/spaces/${slug}/search?q=peculiar`,
      `/sent?to=${encodeURIComponent(`#${slug}`)}`,
    ])
      expect((await expectOk(alice.get(path))).wires, path).toEqual([first]);
    const { wires } = await expectOk(alice.get(`/spaces/${slug}/wires?brief=true`));
    expect(wires[0]).toMatchObject({ cut: false, claim: first.claim });
  });

  // [D19-egress]
  it("does not exist if the handle's egress policy denies the space", async () => {
    const slug = await newQueue();
    const wire = await job(slug);
    const { token } = await claim(bob, wire);
    await setEgressPolicy(bob, { deny: [`#${slug}`] });
    await expectRefused(put(bob, wire), "EGRESS_BLOCKED");
    await expectRefused(put(bob, wire, { token }), "EGRESS_BLOCKED");
    await expectOk(release(bob, wire, token));
    await setEgressPolicy(bob, { deny: [] });
  });
});

describe("a handle's claims end at once", () => {
  // [D19-right-ends]
  it("if it is no longer a poster, or posters may no longer post", async () => {
    const slug = await newQueue();
    const [one, two, three] = [await job(slug), await job(slug), await job(slug)];
    const { token } = await claim(bob, one);
    await claim(carol, two);
    await claim(alice, three);
    await setRoles(slug, { bob: "reader" });
    expect(await claimOf(one)).toEqual({ ...OPEN, attempt: 1 });
    expect((await claimOf(two)).state).toBe("claimed");
    await setRoles(slug, { bob: "poster" });
    await expectRefused(put(bob, one, { token }), "FORBIDDEN");
    await claim(bob, one);
    await setRoles(slug, { bob: "remove" });
    expect(await claimOf(one)).toEqual({ ...OPEN, attempt: 2 });
    await expectOk(alice.put(`/spaces/${slug}`, { posting_rights: "mods" }));
    expect((await claimOf(two)).state).toBe("open");
    expect((await claimOf(three)).state).toBe("claimed");
  });

  // [D19-right-ends]
  it("if it is suspended or retired; what it has finished stays", async () => {
    const slug = await newQueue();
    const ann = await daemon.createAgent("ann");
    await makeContacts(alice, ann);
    await setRoles(slug, { ann: "poster" });
    await grantOperator(daemon, "carol");
    const [one, two] = [await job(slug), await job(slug)];
    await claim(ann, two, { token: (await claim(ann, two)).token, done: true });
    const { token } = await claim(ann, one);
    const suspend = (suspended: boolean) =>
      expectOk(carol.put("/operator/handles/ann", { suspended, reason: "test" }));
    await suspend(true);
    expect(await claimOf(one)).toEqual({ ...OPEN, attempt: 1 });
    await suspend(false);
    await expectRefused(put(ann, one, { token }), "FORBIDDEN");
    await claim(ann, one);
    await expectOk(ann.owner.delete("/handles/ann"));
    expect(await claimOf(one)).toEqual({ ...OPEN, attempt: 2 });
    expect(await claimOf(two)).toMatchObject({ state: "done", by: "ann" });
  });
});

describe("claims_per_handle", () => {
  // [D19-limit]
  it("limits what a handle holds at a time; extending and finishing stay possible", async () => {
    const { owner, eve } = limited;
    await makeContacts(owner, eve);
    await createSpace(owner, "jobs", { root_rule: CLAIMABLE });
    await expectOk(owner.put("/spaces/jobs", { members: [{ handle: "eve", role: "poster" }] }));
    const jobs = await Promise.all(Array.from({ length: 6 }, () => sendWire(owner, "#jobs")));
    const tries = await Promise.all(jobs.map((wire) => put(eve, wire)));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429]);
    const left = jobs[tries.findIndex(({ status }) => status === 429)]!;
    const held = jobs[tries.findIndex(({ status }) => status === 200)]!;
    const { token } = tries.find(({ status }) => status === 200)!.body;
    expect(await expectRefused(put(eve, left), "RATE_LIMITED")).not.toHaveProperty("retry_after");
    expect(await limitOf(eve)).toMatchObject({ limit: 5, remaining: 0, window: null, reset: null });
    await claim(eve, held, { token });
    await expectRefused(put(eve, left, { token }), "FORBIDDEN");
    expect(await claim(eve, held)).toMatchObject({ claimed: false });
    await claim(eve, held, { token, done: true });
    expect(await limitOf(eve)).toMatchObject({ remaining: 1 });
    const again = await claim(eve, left, { seconds: 1 });
    await expect.poll(() => limitOf(eve)).toMatchObject({ remaining: 1 });
    const last = await sendWire(owner, "#jobs");
    await claim(eve, last);
    // The expired claim would be one more.
    await expectRefused(put(eve, left, { token: again.token }), "RATE_LIMITED");
  });
});
