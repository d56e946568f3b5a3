/**
 * Three daemons share one database without a load balancer. Requests to them in turn have the same guarantees
 * as with one daemon.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSpace, expectOk, sendWire } from "../harness/api-helpers.js";
import { addConnection } from "../harness/connections.js";
import { type AgentClient, type JsonResponse, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { withDatabase } from "../harness/database.js";
import { sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { grantOperator } from "../harness/operator.js";

const LIMITS = [
  "wires_per_minute=20",
  "knocks_per_hour=7",
  "spaces_per_hour=6",
  "spaces_per_account=8",
  "schemas_per_hour=5",
  "account_factor=2",
];
const args = LIMITS.flatMap((limit) => ["--limit", limit]);

let daemons: TestDaemon[];
let names = 0;

beforeAll(async () => {
  const first = await startDaemon({ args });
  const others = await Promise.all([1, 2].map(() => startDaemon({ args, sharesDatabaseWith: first })));
  daemons = [first, ...others];
}, 180_000);
afterAll(() => Promise.all(daemons.map((daemon) => daemon.stop())));

/** Creates an agent. Returns a client of it for each daemon. */
async function newAgent(fields: Record<string, unknown> = {}, owner?: string): Promise<AgentClient[]> {
  const slug = `agent-${names++}`;
  const agent = await daemons[0]!.createAgent(slug, fields, owner ?? slug);
  return daemons.map((daemon) => ({ ...agent, ...daemon.client(agent.key) }));
}

/** Calls `work` for all daemons concurrently. */
function onEveryDaemon(
  agents: readonly AgentClient[],
  count: number,
  call: (agent: AgentClient, n: number) => Promise<JsonResponse>,
) {
  return Promise.all(Array.from({ length: count }, (_, n) => call(agents[n % agents.length]!, n)));
}

const statuses = (replies: readonly JsonResponse[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const bodies = (replies: readonly JsonResponse[]) => new Set(replies.map(({ body }) => JSON.stringify(body)));

describe("operators", () => {
  // [D9-operator-reads-limit]
  it("read at most 60 times in 60 s across daemons", async () => {
    const [operators, [sender]] = await Promise.all([newAgent(), newAgent()]);
    await grantOperator(daemons[0]!, operators[0]!.slug);
    const { id } = await sendWire(sender!, sender!.slug);
    const replies = await onEveryDaemon(operators, 90, (operator) => operator.get(`/operator/wires/${id}`));
    expect(statuses(replies)).toEqual({ 200: 60, 429: 30 });
    const { entries } = await expectOk(sender!.owner.get("/audit?action=wire.read&limit=100"));
    expect(entries).toHaveLength(60);
  });
});

const WAITING =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/**
 * Keeps new wires from being stored while `start` starts calls. Returns the replies of these calls.
 * @param start gets a function that waits until a number of statements wait
 */
function holdInserts(
  start: (untilWaiting: (count: number) => Promise<void>) => Promise<Promise<JsonResponse>[]>,
): Promise<JsonResponse[]> {
  return withDatabase(daemons[0]!.dataDir, async (db) => {
    await db.run("BEGIN");
    await db.run("LOCK TABLE wires IN SHARE MODE");
    const calls = await start((count) => expect.poll(async () => (await db.all(WAITING)).length).toBe(count));
    await db.run("ROLLBACK");
    return Promise.all(calls);
  });
}

describe("the limits of an account across daemons", () => {
  const post = (agent: AgentClient) => agent.post("/wires", { to: agent.slug, text: "x" });

  /** Sends wires of two new handles of an account, so that one more is allowed. */
  async function leaveOne(owner: string): Promise<AgentClient[]> {
    const [one, two] = await Promise.all([0, 1].map(() => newAgent({}, owner)));
    for (let n = 0; n < 20; n++) expect((await post(one![0]!)).status).toBe(201);
    for (let n = 0; n < 19; n++) expect((await post(two![0]!)).status).toBe(201);
    return two!;
  }

  // [D4-account-factor]
  it("hold for its handles, each on a daemon of its own", async () => {
    await leaveOne("fleet");
    const others = await Promise.all([0, 1, 2].map(() => newAgent({}, "fleet")));
    const replies = await holdInserts(async (untilWaiting) => {
      const calls = others.map((agents, n) => post(agents[n]!));
      await untilWaiting(3);
      return calls;
    });
    expect(statuses(replies)).toEqual({ 201: 1, 429: 2 });
  });

  // [D4-account-factor]
  it("hold for what is under way when the account gets the handle with which they begin", async () => {
    const two = await leaveOne("growing");
    const [last, first] = await holdInserts(async (untilWaiting) => {
      const ofTwo = post(two[1]!);
      await untilWaiting(1);
      const ofThree = newAgent({}, "growing").then((agents) => post(agents[2]!));
      await untilWaiting(2);
      return [ofTwo, ofThree];
    });
    expect([last!.status, first!.status]).toEqual([201, 429]);
  });
});

describe("a unique resource is created once across daemons:", () => {
  // [D2-slug-taken]
  it("a handle with its slug", async () => {
    const humans = await Promise.all(daemons.map((daemon, n) => daemon.humanClient(`rival-${n}`)));
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) => humans[n % 3]!.post("/handles", { slug: "one-of-us" })),
    );
    expect(statuses(replies)).toEqual({ 201: 1, 400: 11 });
  });

  // [D2-slug-taken]
  it("a space with its slug", async () => {
    const rivals = await Promise.all([newAgent(), newAgent(), newAgent()]);
    const replies = await Promise.all(
      rivals.flatMap((agents) =>
        agents.map((agent) => agent.post("/spaces", { slug: "contested", visibility: "public" })),
      ),
    );
    expect(statuses(replies)).toEqual({ 201: 1, 400: 8 });
  });

  // [S4.1-schema-each-call]
  it("the versions of a schema, numbered without gaps", async () => {
    const agents = await newAgent();
    const subject = `@${agents[0]!.slug}/raced`;
    const replies = await onEveryDaemon(agents, 5, (agent, n) =>
      agent.post("/schemas", { subject, json_schema: { title: `${n}` } }),
    );
    expect(statuses(replies)).toEqual({ 201: 5 });
    expect(replies.map(({ body }) => body.version).sort()).toEqual([1, 2, 3, 4, 5]);
  });

  // [D6-pending-again]
  it("a pending knock between two handles", async () => {
    const [agents, [target]] = await Promise.all([newAgent(), newAgent()]);
    const replies = await onEveryDaemon(agents, 9, (agent) =>
      agent.post("/knocks", { handle: target!.slug, intro: "hi" }),
    );
    expect(replies.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    expect(new Set(replies.flatMap(({ body }) => body.id ?? [])).size).toBe(1);
    expect((await expectOk(target!.get("/inbox"))).knocks).toHaveLength(1);
  });

  // [D6-other-decision]
  it("the decision on a knock", async () => {
    const [[sender], agents] = await Promise.all([newAgent(), newAgent()]);
    const { id } = await expectOk(sender!.post("/knocks", { handle: agents[0]!.slug, intro: "hi" }), 201);
    const replies = await onEveryDaemon(agents, 12, (agent, n) =>
      agent.put(`/knocks/${id}`, { status: n % 2 ? "accepted" : "rejected" }),
    );
    expect(statuses(replies)).toEqual({ 200: 6, 400: 6 });
    const { status } = (await expectOk(agents[0]!.get("/knocks"))).knocks[0];
    expect((await expectOk(agents[0]!.get("/contacts"))).contacts).toHaveLength(
      status === "accepted" ? 1 : 0,
    );
  });

  // [D5-first-tombstone]
  it("a tombstone with one notice", async () => {
    const [senders, [reader]] = await Promise.all([newAgent(), newAgent()]);
    const sent = await sendWire(senders[0]!, reader!.slug);
    const replies = await onEveryDaemon(senders, 9, (agent) => agent.delete(`/wires/${sent.id}`));
    expect(bodies(replies).size).toBe(1);
    expect((await expectOk(reader!.get("/inbox"))).tombstone_notices).toHaveLength(1);
  });

  // [D2-idempotent-once]
  it("the effect of an idempotency key", async () => {
    const [senders, [reader]] = await Promise.all([newAgent(), newAgent()]);
    const headers = { "Idempotency-Key": "once" };
    const wires = await onEveryDaemon(senders, 12, (agent) =>
      agent.post("/wires", { to: reader!.slug, text: "x" }, headers),
    );
    expect(bodies(wires).size).toBe(1);
    expect((await expectOk(reader!.get("/inbox"))).wires).toHaveLength(1);
    const spaces = await onEveryDaemon(senders, 12, (agent) =>
      agent.post("/spaces", { slug: "made-once", visibility: "public" }, headers),
    );
    expect(bodies(spaces).size).toBe(1);
    expect(statuses([...wires, ...spaces])).toEqual({ 201: 24 });
  });
});

describe("a count is exact across daemons:", () => {
  // [D4-window]
  it("the limit of wires", async () => {
    const [senders, readers] = await Promise.all([newAgent(), newAgent()]);
    const replies = await onEveryDaemon(senders, 60, (agent) =>
      agent.post("/wires", { to: readers[0]!.slug, text: "x" }),
    );
    expect(statuses(replies)).toEqual({ 201: 20, 429: 40 });
  });

  // [D4-window]
  it("the limits of knocks, spaces and schemas, and the account's quota of spaces", async () => {
    const account = "one-account";
    const agents = await newAgent({}, account);
    const sisters = await newAgent({}, account);
    const targets = await Promise.all(Array.from({ length: 9 }, () => newAgent()));
    const knocks = await onEveryDaemon(agents, 9, (agent, n) =>
      agent.post("/knocks", { handle: targets[n]![0]!.slug, intro: "hi" }),
    );
    expect(statuses(knocks)).toEqual({ 201: 7, 429: 2 });
    const createSpaceWith = (prefix: string) => (agent: AgentClient, n: number) =>
      agent.post("/spaces", { slug: `${prefix}-${n}`, visibility: "public" });
    const spaces = await Promise.all([
      onEveryDaemon(agents, 9, createSpaceWith("counted-a")),
      onEveryDaemon(sisters, 9, createSpaceWith("counted-b")),
    ]);
    expect(statuses(spaces.flat())).toEqual({ 201: 8, 429: 10 });
    const schemas = await onEveryDaemon(agents, 9, (agent, n) =>
      agent.post("/schemas", { subject: `@${agent.slug}/s${n}`, json_schema: {} }),
    );
    expect(statuses(schemas)).toEqual({ 201: 5, 429: 4 });
  });

  // [S3.3-one-vote]
  it("votes that are added and revoked repeatedly", async () => {
    const [owner] = await newAgent();
    await createSpace(owner!, "ballot", { root_rule: { allow_text: true, votable: true } });
    const { id } = await sendWire(owner!, "#ballot");
    const voters = await Promise.all(Array.from({ length: 5 }, () => newAgent()));
    await Promise.all(
      voters.map(async (agents, n) => {
        await onEveryDaemon(agents, 9, (agent, m) =>
          m % 2 ? agent.delete(`/wires/${id}/vote`) : agent.put(`/wires/${id}/vote`),
        );
        await expectOk(n % 2 ? agents[0]!.delete(`/wires/${id}/vote`) : agents[0]!.put(`/wires/${id}/vote`));
      }),
    );
    expect((await expectOk(owner!.get(`/wires/${id}`))).vote_count).toBe(3);
  });

  // [D8-profile-put]
  it("the fields of a profile after concurrent changes on all daemons", async () => {
    const agents = await newAgent();
    await Promise.all([
      expectOk(agents[0]!.put("/profile", { bio: "a bio" })),
      expectOk(agents[1]!.put("/profile", { display_name: "A Name" })),
      expectOk(agents[2]!.put("/profile", { tags: ["a-tag"] })),
    ]);
    expect(await expectOk(agents[0]!.get("/profile"))).toMatchObject({
      bio: "a bio",
      display_name: "A Name",
      tags: ["a-tag"],
    });
  });
});

describe("a change on one daemon", () => {
  // [D5-wait]
  it("wakes a long-poll on another daemon", async () => {
    const [readers, [sender]] = await Promise.all([newAgent(), newAgent()]);
    const held = Promise.all(readers.slice(1).map((reader) => expectOk(reader.get("/inbox?wait=60"))));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const began = performance.now();
    await sendWire(sender!, readers[0]!.slug);
    for (const { wires } of await held) expect(wires).toHaveLength(1);
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  // [D17-last-pull-kept]
  it("shows other daemons when a handle last read its inbox", async () => {
    const [readers, [sender]] = await Promise.all([newAgent({}, "puller"), newAgent({}, "puller")]);
    await expectOk(readers[1]!.get("/inbox"));
    const lastPull = async () => (await sendWire(sender!, readers[0]!.slug)).recipient.last_pull_at;
    await expect.poll(lastPull).not.toBeNull();
  });

  // [D14-wait] [D14-wait-approvals]
  it("wakes requests that are held on another daemon, of every kind", async () => {
    const [readers, [sender]] = await Promise.all([newAgent(), newAgent({}, "followed-owner")]);
    const slug = `followed-${names++}`;
    await createSpace(sender!, slug);
    const { id } = await sendWire(sender!, `#${slug}`);
    const direct = await sendWire(sender!, readers[0]!.slug);
    const paths = [`/spaces/${slug}/wires?order=oldest&`, `/threads/${id}?`, `/threads/${direct.id}?`];
    const ends = await Promise.all(paths.map((path) => expectOk(readers[1]!.get(`${path}cursor=latest`))));
    const held = paths.map((path, n) =>
      expectOk(readers[1]!.get(`${path}wait=60&cursor=${ends[n]!.next_cursor}`)),
    );
    const approver = await daemons[1]!.humanClient("followed-owner");
    const approvals = expectOk(approver.get("/approvals?wait=60"));
    await new Promise((resolve) => setTimeout(resolve, 500));
    // Without a notification, a held request reads again after up to two seconds.
    const began = performance.now();
    await sendWire(sender!, `#${slug}`, { text: "reply", reply_to: id });
    const direct2 = await sendWire(sender!, readers[0]!.slug, { text: "reply", reply_to: direct.id });
    expect((await held[0]!).wires).toMatchObject([{ text_body: "reply" }]);
    expect((await held[1]!).wires).toMatchObject([{ text_body: "reply" }]);
    expect((await held[2]!).wires).toMatchObject([{ id: direct2.id }]);
    await setEgressPolicy(sender!, { mode: "approval" });
    const waiting = await sendHeldWire(sender!, `#${slug}`);
    expect((await approvals).approvals).toMatchObject([{ wire: { id: waiting.id } }]);
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  // [D14-wait-rights]
  it("ends held requests of a removed member on every daemon", async () => {
    const [readers, [owner]] = await Promise.all([newAgent(), newAgent()]);
    const slug = `left-${names++}`;
    await createSpace(owner!, slug, { visibility: "private" });
    const change = (role: string) =>
      expectOk(owner!.put(`/spaces/${slug}`, { members: [{ handle: readers[0]!.slug, role }] }));
    await change("reader");
    const held = Promise.all(
      readers.map((reader) => reader.get(`/spaces/${slug}/wires?order=oldest&wait=60`)),
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    const began = performance.now();
    await change("remove");
    expect((await held).map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  // [D5-nothing-skipped]
  it("shows every wire once and in one order to readers who follow a feed or a thread", async () => {
    const [readers, ...senders] = await Promise.all([newAgent(), newAgent(), newAgent(), newAgent()]);
    const slug = `busy-${names++}`;
    await createSpace(readers[0]!, slug);
    const { id } = await sendWire(readers[0]!, `#${slug}`);
    const total = senders.length * 18;
    const follow = async (path: string, first: number) => {
      const seen: string[] = [];
      for (let cursor = "", turn = first; seen.length <= total; turn++) {
        const page = await expectOk(readers[turn % 3]!.get(`${path}wait=20&limit=5${cursor}`));
        expect(page.wires.length).toBeGreaterThan(0);
        seen.push(...page.wires.map((wire: { id: string }) => wire.id));
        cursor = `&cursor=${page.next_cursor}`;
      }
      return seen;
    };
    const reply = (agent: AgentClient) => sendWire(agent, `#${slug}`, { text: "x", reply_to: id });
    const sending = senders.map(async (agents) => {
      for (let n = 0; n < 18; n += 6)
        await Promise.all(Array.from({ length: 6 }, (_, turn) => reply(agents[(n + turn) % 3]!)));
    });
    const seen = await Promise.all([
      follow(`/spaces/${slug}/wires?order=oldest&`, 0),
      follow(`/spaces/${slug}/wires?order=oldest&`, 1),
      follow(`/threads/${id}?`, 2),
    ]);
    await Promise.all(sending);
    expect(new Set(seen[0]).size).toBe(total + 1);
    for (const other of seen) expect(other).toEqual(seen[0]);
  });

  // [D9-key-stops-everywhere]
  it("revokes a key on every daemon", async () => {
    const agents = await newAgent();
    for (const agent of agents) await expectOk(agent.get("/profile"));
    await expectOk(agents[0]!.owner.delete(`/keys/${agents[0]!.keyId}`));
    expect((await agents[0]!.get("/profile")).status).toBe(401);
    const profileStatuses = async () =>
      (await Promise.all(agents.map((agent) => agent.get("/profile")))).map(({ status }) => status);
    await expect.poll(profileStatuses, { timeout: 5_000 }).toEqual([401, 401, 401]);
  });

  // [D13-revoked-everywhere]
  it("revokes a connection on every daemon", async () => {
    const [agent] = await newAgent();
    const { id, token } = await addConnection(daemons[0]!, agent!.slug);
    const statuses = async () =>
      (await Promise.all(daemons.map((daemon) => daemon.client(token).get("/profile")))).map(
        ({ status }) => status,
      );
    expect(await statuses()).toEqual([200, 200, 200]);
    await expectOk(agent!.owner.delete(`/connections/${id}`));
    expect((await daemons[0]!.client(token).get("/profile")).status).toBe(401);
    await expect.poll(statuses, { timeout: 5_000 }).toEqual([401, 401, 401]);
  });

  // [D5-nothing-skipped]
  it("applies rules, blocks and roles on every daemon at once", async () => {
    const [readers, [sender]] = await Promise.all([newAgent(), newAgent()]);
    await expectOk(readers[1]!.put("/profile", { inbox_rule: { allow_text: false } }));
    expect((await sender!.post("/wires", { to: readers[0]!.slug, text: "x" })).status).toBe(403);
    await expectOk(readers[2]!.put("/profile", { inbox_rule: { allow_text: true } }));
    await sendWire(sender!, readers[0]!.slug);
    await expectOk(readers[1]!.put(`/blocks/${sender!.slug}`));
    expect((await sender!.post("/wires", { to: readers[0]!.slug, text: "x" })).status).toBe(403);
  });

  // [D19-right-ends]
  it.each(["its wire", "a wire of the space"])(
    "takes the right to claim, and ends the claim of %s that another daemon is making",
    async (claimed) => {
      const [owners, workers] = await Promise.all([newAgent({}, "foreman"), newAgent({}, "foreman")]);
      const slug = `queue-${names++}`;
      await createSpace(owners[0]!, slug, { root_rule: { allow_text: true, claimable: true } });
      const members = [{ handle: workers[0]!.slug, role: "poster" }];
      await expectOk(owners[0]!.put(`/spaces/${slug}`, { members }));
      const { id } = await sendWire(owners[0]!, `#${slug}`);
      const { token } = await expectOk(workers[0]!.put(`/wires/${id}/claim`, {}));
      await expectOk(workers[0]!.delete(`/wires/${id}/claim?token=${encodeURIComponent(token)}`));
      await withDatabase(daemons[0]!.dataDir, async (db) => {
        const waiting = async () => (await db.all(WAITING)).length;
        await db.run("BEGIN");
        await db.all("SELECT 1 FROM claims FOR UPDATE");
        const claim =
          claimed === "its wire"
            ? workers[1]!.put(`/wires/${id}/claim`, {})
            : workers[1]!.post(`/spaces/${slug}/claims`, {});
        await expect.poll(waiting).toBe(1);
        const change = owners[2]!.put(`/spaces/${slug}`, { posting_rights: "mods" });
        await expect.poll(waiting).toBe(2);
        await db.run("COMMIT");
        await Promise.all([expectOk(claim), expectOk(change)]);
      });
      expect((await expectOk(owners[0]!.get(`/wires/${id}`))).claim).toMatchObject({
        state: "open",
        attempt: 2,
      });
    },
  );

  // [D14-ask-daemons] [D14-delivery]
  it("ends a wait for a reply through another daemon, and shows delivery there", async () => {
    const [askers, repliers] = await Promise.all([newAgent(), newAgent()]);
    const question = { to: repliers[0]!.slug, text: "a question", wait_for_reply: 50 };
    const asking = askers[0]!.post("/wires", question);
    const { wires, next_cursor } = await expectOk(repliers[1]!.get("/inbox?wait=10"));
    await expectOk(repliers[1]!.get(`/inbox?cursor=${next_cursor}`));
    expect((await expectOk(askers[2]!.get(`/wires/${wires[0].id}`))).delivery.state).toBe("read");
    const { id } = await sendWire(repliers[2]!, askers[0]!.slug, {
      text: "an answer",
      reply_to: wires[0].id,
    });
    expect((await expectOk(asking, 201)).reply.id).toBe(id);
  });

  // [D5-nothing-skipped]
  it("leaves cursors valid on other daemons", async () => {
    const [readers, [sender]] = await Promise.all([newAgent(), newAgent()]);
    const seen: string[] = [];
    let cursor = "";
    for (let n = 0; n < 9; n++) {
      const { id } = await sendWire(sender!, readers[0]!.slug);
      const page = await expectOk(readers[n % 3]!.get(`/inbox?limit=1${cursor && `&cursor=${cursor}`}`));
      cursor = page.next_cursor;
      expect(page.wires.map((wire: { id: string }) => wire.id)).toEqual([id]);
      seen.push(id);
    }
    expect(new Set(seen).size).toBe(9);
  });
});
