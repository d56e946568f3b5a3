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
import { withDatabase } from "../harness/database.js";
import { decideApproval, sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { grantOperator } from "../harness/operator.js";

const { daemon, alice, bob, carol, dave } = await hostedFixture(["alice", "bob", "carol", "dave"]);
const limited = await hostedFixture(["owner", "eve", "fay", "gus", "hal"], {
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

describe("POST /spaces/{slug}/claims", () => {
  const take = (agent: AgentClient, slug: string, body: Body = {}, headers = {}) =>
    agent.post(`/spaces/${slug}/claims`, body, headers);
  const taken = async (agent: AgentClient, slug: string, body: Body = {}): Promise<Body[]> =>
    (await expectOk(take(agent, slug, body))).claims;
  const jobs = async (slug: string, count: number) => {
    const sent: Body[] = [];
    for (let n = 0; n < count; n++) sent.push(await job(slug));
    return sent;
  };
  const idsOf = (claims: Body[]) => claims.map(({ wire }) => wire.id);

  // [D19-take] [D19-take-order]
  it("claims open root wires, those with the fewest claims first, then the oldest", async () => {
    const slug = await newQueue();
    const [one, two, three] = await jobs(slug, 3);
    await sendWire(bob, `#${slug}`, { text: "no root", reply_to: one!.id });
    const [first] = await taken(bob, slug);
    expect(first).toEqual({
      wire: await readWire(alice, one!),
      token: expect.any(String),
      until: expect.any(String),
      attempt: 1,
    });
    expect(first!.wire.claim).toEqual({ state: "claimed", by: "bob", until: first!.until, attempt: 1 });
    await expectOk(release(bob, one!, first!.token));
    expect(idsOf(await taken(bob, slug, { limit: 20, seconds: 60 }))).toEqual(
      [two, three, one].map((wire) => wire!.id),
    );
    expect(await taken(carol, slug)).toEqual([]);
    await claim(bob, two!, { token: (await claimAgain(two!)).token, done: true });
    await expectOk(release(alice, one!));
    await expectOk(release(alice, three!));
    expect((await taken(carol, slug, { limit: 3 })).map(({ wire, attempt }) => [wire.id, attempt])).toEqual([
      [three!.id, 2],
      [one!.id, 3],
    ]);
  });

  /** Ends the claim as the owner, and claims the wire again as @bob. */
  const claimAgain = async (wire: Body) => {
    await expectOk(release(alice, wire));
    return claim(bob, wire);
  };

  // [D19-take-once]
  it("never gives two callers the same wire", async () => {
    const slug = await newQueue();
    const sent = await jobs(slug, 12);
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, n) => taken([alice, bob, carol][n % 3]!, slug, { limit: (n % 2) + 1 })),
    );
    const ids = answers.flatMap(idsOf);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.sort()).toEqual(sent.map(({ id }) => id).sort());
  });

  // [D19-take-again] [D19-take-limit]
  it("brings the same claims to requests that repeat a key at the same time, and stays within the limit", async () => {
    const { owner, gus } = limited;
    await makeContacts(owner, gus);
    await createSpace(owner, "crowded", { root_rule: CLAIMABLE });
    await expectOk(owner.put("/spaces/crowded", { members: [{ handle: "gus", role: "poster" }] }));
    for (let n = 0; n < 7; n++) await sendWire(owner, "#crowded");
    const repeated = await Promise.all(
      Array.from({ length: 6 }, () => expectOk(take(gus, "crowded", {}, { "idempotency-key": "crowded" }))),
    );
    expect(new Set(repeated.flatMap(({ claims }) => idsOf(claims))).size).toBe(1);
    const more = await Promise.all(Array.from({ length: 6 }, () => take(gus, "crowded")));
    expect(more.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429, 429]);
    expect(await limitOf(gus)).toMatchObject({ remaining: 0 });
  });

  // [D19-take-limit]
  it("gives the last room of a handle to the request that finds a wire, beside others that find none", async () => {
    const { owner, hal } = limited;
    await makeContacts(owner, hal);
    for (const slug of ["idle", "busy"]) {
      await createSpace(owner, slug, { root_rule: CLAIMABLE });
      await expectOk(owner.put(`/spaces/${slug}`, { members: [{ handle: "hal", role: "poster" }] }));
    }
    for (let n = 0; n < 5; n++) await sendWire(owner, "#busy");
    expect(await taken(hal, "busy", { limit: 4 })).toHaveLength(4);
    for (let round = 0; round < 5; round++) {
      const others = Array.from({ length: 5 }, () => take(hal, "idle"));
      const [own] = await taken(hal, "busy");
      await expectOk(release(hal, own!.wire, own!.token));
      await Promise.all(others);
    }
  });

  // [D19-take-again]
  it("brings the same claims for a repeated Idempotency-Key, whatever `wait` says, but never an empty answer", async () => {
    const slug = await newQueue();
    const headers = { "idempotency-key": `take-${slug}` };
    expect(await expectOk(take(bob, slug, {}, headers))).toEqual({ claims: [] });
    await job(slug);
    const first = await expectOk(take(bob, slug, {}, headers));
    expect(first.claims).toHaveLength(1);
    expect(await expectOk(take(bob, slug, { wait: 5 }, headers))).toEqual(first);
    await expectRefused(take(bob, slug, { limit: 2 }, headers), "VALIDATION_ERROR");
  });

  // [D19-take-refused]
  it("is refused as a claim of one of the wires is", async () => {
    const slug = await newQueue();
    await expectRefused(take(bob, "no-such-space"), "NOT_FOUND");
    await expectRefused(take(dave, slug), "FORBIDDEN");
    for (const body of [{ limit: 0 }, { limit: 21 }, { wait: 61 }, { seconds: 0 }, { id: "x" }])
      await expectRefused(take(bob, slug, body), "VALIDATION_ERROR");
    await setEgressPolicy(bob, { deny: [`#${slug}`] });
    await expectRefused(take(bob, slug), "EGRESS_BLOCKED");
    await setEgressPolicy(bob, { deny: [] });
    await expectOk(alice.put(`/spaces/${slug}`, { root_rule: PLAIN, reply_rule: CLAIMABLE }));
    await expectRefused(take(bob, slug), "FORBIDDEN");
  });

  // [D19-take-limit]
  it("gives fewer where the handle has room for fewer, and none is 429", async () => {
    const { owner, fay } = limited;
    await makeContacts(owner, fay);
    await createSpace(owner, "many", { root_rule: CLAIMABLE });
    await expectOk(owner.put("/spaces/many", { members: [{ handle: "fay", role: "poster" }] }));
    for (let n = 0; n < 7; n++) await sendWire(owner, "#many");
    expect(await taken(fay, "many", { limit: 3 })).toHaveLength(3);
    expect(await taken(fay, "many", { limit: 3 })).toHaveLength(2);
    expect(await expectRefused(take(fay, "many", { limit: 3 }), "RATE_LIMITED")).not.toHaveProperty(
      "retry_after",
    );
    expect(await limitOf(fay)).toMatchObject({ remaining: 0 });
    expect(await taken(owner, "many", { limit: 7 })).toHaveLength(2);
  });

  // [D19-take-waits]
  it("waits for a new wire, which one of the waiting requests gets", async () => {
    const slug = await newQueue();
    const waiting = [bob, carol, bob].map((agent) => taken(agent, slug, { wait: 30 }));
    await expect.poll(() => heldClaims()).toBeGreaterThanOrEqual(3);
    const [one, two] = await jobs(slug, 2);
    const sooner = await Promise.race(waiting);
    expect([one!.id, two!.id]).toContain(sooner[0]!.wire.id);
    await job(slug);
    const all = await Promise.all(waiting);
    expect(new Set(all.flatMap(idsOf)).size).toBe(3);
  });

  // [D19-take-waits] [D19-expiry]
  it("waits for a claim to expire or to be given back, and no longer than `wait`", async () => {
    const slug = await newQueue();
    const wire = await job(slug);
    await claim(bob, wire, { seconds: 1 });
    const [again] = await taken(carol, slug, { wait: 20 });
    expect(again).toMatchObject({ wire: { id: wire.id }, attempt: 2 });
    const waiting = taken(bob, slug, { wait: 20 });
    await expectOk(release(carol, wire, again!.token));
    expect(await waiting).toMatchObject([{ attempt: 3 }]);
    expect(await taken(carol, slug, { wait: 1 })).toEqual([]);
  });

  // [D19-take-closed]
  it("claims nothing for a connection that was closed", async () => {
    const slug = await newQueue();
    const before = await heldClaims();
    const abort = new AbortController();
    const gone = fetch(`${daemon.base}/spaces/${slug}/claims`, {
      method: "POST",
      headers: { authorization: `Bearer ${bob.key}`, "content-type": "application/json" },
      body: JSON.stringify({ wait: 30 }),
      signal: abort.signal,
    }).catch(() => "closed");
    await expect.poll(() => heldClaims()).toBe(before + 1);
    abort.abort();
    expect(await gone).toBe("closed");
    await expect.poll(() => heldClaims()).toBe(before);
    const wire = await job(slug);
    expect((await claimOf(wire)).state).toBe("open");
  });

  // [D19-take-waits]
  it("ends its wait with 404 or 403 when the right is gone", async () => {
    const slug = await newQueue({ visibility: "private" });
    const waiting = take(bob, slug, { wait: 30 });
    await expect.poll(() => heldClaims()).toBeGreaterThanOrEqual(1);
    await setRoles(slug, { bob: "remove" });
    await expectRefused(waiting, "NOT_FOUND");
  });

  // [D19-take-waits] [D19-take-refused]
  it.each<[string, string, (slug: string) => Promise<unknown>]>([
    ["posting rights", "POSTING_DENIED", (slug) => alice.put(`/spaces/${slug}`, { posting_rights: "mods" })],
    ["rule", "FORBIDDEN", (slug) => alice.put(`/spaces/${slug}`, { root_rule: PLAIN })],
    ["egress policy", "EGRESS_BLOCKED", (slug) => setEgressPolicy(bob, { deny: [`#${slug}`] })],
  ])("ends its wait with the error of a new request after a change of the %s", async (_of, code, change) => {
    const [own, other] = [await newQueue(), await newQueue()];
    await expect.poll(() => heldClaims()).toBe(0);
    const waiting = take(bob, own, { wait: 30 });
    await expect.poll(() => heldClaims()).toBe(1);
    await change(own);
    // Wakes all waiting requests of bob.
    await setRoles(other, { bob: "remove" });
    await expectRefused(waiting, code);
    await setEgressPolicy(bob, { deny: [] });
  });
});

/** Returns how many requests wait for a wire to claim. */
async function heldClaims(): Promise<number> {
  const metrics = await (await fetch(`${daemon.origin}/metrics`)).text();
  return Number(/wireroom_held_requests\{kind="claims"\} (\d+)/.exec(metrics)?.[1] ?? 0);
}

describe("a feed with `claim_state`", () => {
  // [D19-claim-state]
  it("has only the wires in this state, in any order and over pages", async () => {
    const slug = await newQueue({ reply_rule: { ...CLAIMABLE, votable: true } });
    const sent: Body[] = [];
    for (let n = 0; n < 6; n++) sent.push(await job(slug));
    const reply = await sendWire(alice, `#${slug}`, { text: "re", reply_to: sent[0]!.id });
    await expectOk(alice.delete(`/wires/${sent[5]!.id}`));
    for (const n of [1, 2]) await claim(bob, sent[n]!);
    await claim(bob, sent[3]!, { token: (await claim(bob, sent[3]!)).token, done: true });
    const ids = async (query: string) =>
      (await expectOk(carol.get(`/spaces/${slug}/wires?${query}`))).wires.map(({ id }: Body) => id);
    const at = (...numbers: number[]) => numbers.map((n) => sent[n]!.id);
    expect(await ids("claim_state=claimed")).toEqual(at(2, 1));
    expect(await ids("claim_state=claimed&order=oldest&brief=true")).toEqual(at(1, 2));
    expect(await ids("claim_state=done&order=top")).toEqual(at(3));
    expect(await ids("claim_state=open")).toEqual([reply.id, ...at(4, 0)]);
    expect(await ids("claim_state=open&roots_only=true&order=oldest")).toEqual(at(0, 4));
    const first = await expectOk(carol.get(`/spaces/${slug}/wires?claim_state=open&limit=2`));
    expect(await ids(`claim_state=open&limit=2&cursor=${first.next_cursor}`)).toEqual(at(0));
    const oldest = "claim_state=open&order=oldest&limit=1";
    const { next_cursor } = await expectOk(carol.get(`/spaces/${slug}/wires?${oldest}`));
    expect(await ids(`${oldest}&cursor=${next_cursor}`)).toEqual(at(4));
    for (const query of [`claim_state=done&cursor=${first.next_cursor}`, `cursor=${first.next_cursor}`])
      await expectRefused(carol.get(`/spaces/${slug}/wires?${query}`), "VALIDATION_ERROR");
    for (const query of ["claim_state=open&order=oldest&wait=1", "claim_state=held"])
      await expectRefused(carol.get(`/spaces/${slug}/wires?${query}`), "VALIDATION_ERROR");
    await expectOk(alice.put(`/spaces/${slug}`, { root_rule: PLAIN }));
    expect(await ids("claim_state=open")).toEqual([reply.id]);
  });

  // [D19-claim-state]
  it("by votes, has a page of the many wires in a state", async () => {
    const slug = await newQueue({ root_rule: { ...CLAIMABLE, votable: true } });
    const [popular, other] = [await job(slug), await job(slug)];
    await expectOk(bob.put(`/wires/${popular.id}/vote`));
    const copies = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
      SELECT concat(w.id, n), w.sender, 0, w.space, w.thread, 1, w.doc FROM numbers, wires w WHERE w.id = ?`;
    await withDatabase(daemon.dataDir, (db) =>
      db.run(
        `INSERT INTO wires (id, sender, sender_no, space, thread, created_at, doc) ${copies}`,
        String(other.id),
      ),
    );
    const page = async (query: string) =>
      expectOk(carol.get(`/spaces/${slug}/wires?claim_state=open&order=top&limit=2${query}`));
    const first = await page("");
    expect(first.wires[0].id).toBe(popular.id);
    await claim(bob, popular);
    expect((await page("")).wires[0].vote_count).toBe(0);
    expect((await page(`&cursor=${first.next_cursor}`)).wires).toHaveLength(2);
  });
});

describe("a reply with `claim_token`", () => {
  const reply = (agent: AgentClient, slug: string, to: Body, fields: Body) =>
    agent.post("/wires", { to: `#${slug}`, text: "re", reply_to: to.id, ...fields });

  // [D19-reply] [D19-reply-done]
  it("is accepted from the last claim, and finishes it with `done`", async () => {
    const slug = await newQueue();
    const wire = await job(slug);
    const { token } = await claim(bob, wire);
    await expectOk(reply(bob, slug, wire, { claim_token: token }), 201);
    expect((await claimOf(wire)).state).toBe("claimed");
    const uri = { ...wire, id: wire.uri };
    await expectOk(reply(bob, slug, uri, { claim_token: token, done: true }), 201);
    expect(await claimOf(wire)).toEqual({ state: "done", by: "bob", until: null, attempt: 1 });
    await expectRefused(reply(bob, slug, wire, { claim_token: token }), "FORBIDDEN");
    expect((await expectOk(alice.get(`/threads/${wire.id}`))).wires).toHaveLength(3);
    expect(await claim(bob, wire, { token, done: true })).toMatchObject({ done: true });
  });

  // [D19-reply]
  it("is refused with another token, or once the claim is another's, and is not stored", async () => {
    const slug = await newQueue();
    const [wire, other] = [await job(slug), await job(slug)];
    const { token } = await claim(bob, wire, { seconds: 1 });
    await expectRefused(reply(bob, slug, other, { claim_token: token }), "FORBIDDEN");
    await expectRefused(reply(carol, slug, wire, { claim_token: token }), "FORBIDDEN");
    await expectRefused(reply(bob, slug, wire, { claim_token: "1.x" }), "FORBIDDEN");
    await expect.poll(async () => (await claimOf(wire)).state).toBe("open");
    await expectOk(reply(bob, slug, wire, { claim_token: token }), 201);
    const taken = await claim(carol, wire);
    for (const done of [false, true])
      await expectRefused(reply(bob, slug, wire, { claim_token: token, done }), "FORBIDDEN");
    expect((await expectOk(alice.get(`/threads/${wire.id}`))).wires).toHaveLength(2);
    await expectOk(reply(carol, slug, wire, { claim_token: taken.token, done: true }), 201);
  });

  // [D19-reply-done]
  it("finishes the claim once, even if many are sent at the same time", async () => {
    const slug = await newQueue();
    const wire = await job(slug);
    const { token } = await claim(bob, wire);
    const sent = await Promise.all(
      Array.from({ length: 8 }, () => reply(bob, slug, wire, { claim_token: token, done: true })),
    );
    expect(sent.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(403)]);
  });

  // [D19-reply-input]
  it("is 400 in a DM, without `reply_to`, and for `done` alone", async () => {
    const slug = await newQueue();
    const wire = await job(slug);
    const { token } = await claim(bob, wire);
    const dm = await sendWire(alice, "bob");
    for (const body of [
      { to: "alice", reply_to: dm.id, claim_token: token },
      { to: `#${slug}`, claim_token: token, done: true },
      { to: `#${slug}`, reply_to: wire.id, done: true },
    ])
      await expectRefused(bob.post("/wires", { text: "x", ...body }), "VALIDATION_ERROR");
    await expectOk(reply(bob, slug, wire, { claim_token: null, done: null }), 201);
  });

  // [D19-reply-held]
  it.each(["approved", "rejected", "withdrawn"])(
    "that is held finishes the claim; then it is %s",
    async (status) => {
      const slug = await newQueue();
      const wire = await job(slug);
      const { token } = await claim(bob, wire);
      await setEgressPolicy(bob, { mode: "approval" });
      const fields = { text: "may I?", reply_to: wire.id, claim_token: token, done: true };
      const held = await sendHeldWire(bob, `#${slug}`, fields);
      await expectRefused(reply(bob, slug, wire, { claim_token: token }), "FORBIDDEN");
      expect(await claimOf(wire)).toEqual({ state: "done", by: "bob", until: null, attempt: 1 });
      expect(await claim(carol, wire)).toEqual({ claimed: false, by: "bob", until: null });
      if (status === "withdrawn") await expectOk(bob.delete(`/wires/${held.id}`));
      else await decideApproval(bob, held, { status });
      await setEgressPolicy(bob, { mode: "open" });
      if (status === "approved") {
        expect((await claimOf(wire)).state).toBe("done");
        expect((await readWire(alice, held)).reply_to).toBe(wire.id);
      } else {
        expect(await claimOf(wire)).toEqual({ ...OPEN, attempt: 1 });
        await expectRefused(put(bob, wire, { token }), "FORBIDDEN");
      }
    },
  );
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
