/** Three daemons on one database, behind no load balancer at all: what is asked of each in turn holds as if there were one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentClient, type Reply, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { createSpace, ok, send } from "../harness/talk.js";

const LIMITS = [
  "wires_per_minute=20",
  "knocks_per_hour=7",
  "spaces_per_hour=6",
  "spaces_per_account=8",
  "schemas_per_hour=5",
];
const args = LIMITS.flatMap((limit) => ["--limit", limit]);

let daemons: TestDaemon[];
let names = 0;

beforeAll(async () => {
  const first = await startDaemon({ args });
  const others = await Promise.all([1, 2].map(() => startDaemon({ args, beside: first })));
  daemons = [first, ...others];
}, 180_000);
afterAll(() => Promise.all(daemons.map((daemon) => daemon.stop())));

/** A new agent, known by name at every daemon. */
async function newAgent(fields: Record<string, unknown> = {}, owner?: string): Promise<AgentClient[]> {
  const slug = `agent-${names++}`;
  const agent = await daemons[0]!.agent(slug, fields, owner ?? slug);
  return daemons.map((daemon) => ({ ...agent, ...daemon.client(agent.key) }));
}

/** The same at all daemons in turn, at the same time. */
function everywhere(
  agents: readonly AgentClient[],
  count: number,
  call: (agent: AgentClient, n: number) => Promise<Reply>,
) {
  return Promise.all(Array.from({ length: count }, (_, n) => call(agents[n % agents.length]!, n)));
}

const statuses = (replies: readonly Reply[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const bodies = (replies: readonly Reply[]) => new Set(replies.map(({ body }) => JSON.stringify(body)));

describe("what is unique", () => {
  it("goes to one alone: a handle's slug [D2-slug-taken]", async () => {
    const humans = await Promise.all(daemons.map((daemon, n) => daemon.human(`rival-${n}`)));
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) => humans[n % 3]!.post("/handles", { slug: "one-of-us" })),
    );
    expect(statuses(replies)).toEqual({ 201: 1, 400: 11 });
  });

  it("goes to one alone: a space's slug [D2-slug-taken]", async () => {
    const rivals = await Promise.all([newAgent(), newAgent(), newAgent()]);
    const replies = await Promise.all(
      rivals.flatMap((agents) =>
        agents.map((agent) => agent.post("/spaces", { slug: "contested", visibility: "public" })),
      ),
    );
    expect(statuses(replies)).toEqual({ 201: 1, 400: 8 });
  });

  it("is numbered without gaps: a schema's versions [S4.1-schema-each-call]", async () => {
    const agents = await newAgent();
    const subject = `@${agents[0]!.slug}/raced`;
    const replies = await everywhere(agents, 5, (agent, n) =>
      agent.post("/schemas", { subject, json_schema: { title: `${n}` } }),
    );
    expect(statuses(replies)).toEqual({ 201: 5 });
    expect(replies.map(({ body }) => body.version).sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it("is one pending knock between two [D6-pending-again]", async () => {
    const [agents, [target]] = await Promise.all([newAgent(), newAgent()]);
    const replies = await everywhere(agents, 9, (agent) =>
      agent.post("/knocks", { handle: target!.slug, intro: "hi" }),
    );
    expect(replies.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    expect(new Set(replies.flatMap(({ body }) => body.id ?? [])).size).toBe(1);
    expect((await ok(target!.get("/inbox"))).knocks).toHaveLength(1);
  });

  it("is one decision on a knock [D6-other-decision]", async () => {
    const [[sender], agents] = await Promise.all([newAgent(), newAgent()]);
    const { id } = await ok(sender!.post("/knocks", { handle: agents[0]!.slug, intro: "hi" }), 201);
    const replies = await everywhere(agents, 12, (agent, n) =>
      agent.put(`/knocks/${id}`, { status: n % 2 ? "accepted" : "rejected" }),
    );
    expect(statuses(replies)).toEqual({ 200: 6, 400: 6 });
    const { status } = (await ok(agents[0]!.get("/knocks"))).knocks[0];
    expect((await ok(agents[0]!.get("/contacts"))).contacts).toHaveLength(status === "accepted" ? 1 : 0);
  });

  it("is one tombstone, and one notice of it [D5-first-tombstone]", async () => {
    const [senders, [reader]] = await Promise.all([newAgent(), newAgent()]);
    const sent = await send(senders[0]!, reader!.slug);
    const replies = await everywhere(senders, 9, (agent) => agent.delete(`/wires/${sent.id}`));
    expect(bodies(replies).size).toBe(1);
    expect((await ok(reader!.get("/inbox"))).tombstone_notices).toHaveLength(1);
  });

  it("is one effect for one idempotency key [D2-idempotent-once]", async () => {
    const [senders, [reader]] = await Promise.all([newAgent(), newAgent()]);
    const headers = { "Idempotency-Key": "once" };
    const wires = await everywhere(senders, 12, (agent) =>
      agent.post("/wires", { to: reader!.slug, text: "x" }, headers),
    );
    expect(bodies(wires).size).toBe(1);
    expect((await ok(reader!.get("/inbox"))).wires).toHaveLength(1);
    const spaces = await everywhere(senders, 12, (agent) =>
      agent.post("/spaces", { slug: "made-once", visibility: "public" }, headers),
    );
    expect(bodies(spaces).size).toBe(1);
    expect(statuses([...wires, ...spaces])).toEqual({ 201: 24 });
  });
});

describe("what is counted", () => {
  it("is exact: wires [D4-window]", async () => {
    const [senders, readers] = await Promise.all([newAgent(), newAgent()]);
    const replies = await everywhere(senders, 60, (agent) =>
      agent.post("/wires", { to: readers[0]!.slug, text: "x" }),
    );
    expect(statuses(replies)).toEqual({ 201: 20, 429: 40 });
  });

  it("is exact: knocks, spaces, the account's quota, schemas [D4-window]", async () => {
    const account = "one-account";
    const agents = await newAgent({}, account);
    const sisters = await newAgent({}, account);
    const targets = await Promise.all(Array.from({ length: 9 }, () => newAgent()));
    const knocks = await everywhere(agents, 9, (agent, n) =>
      agent.post("/knocks", { handle: targets[n]![0]!.slug, intro: "hi" }),
    );
    expect(statuses(knocks)).toEqual({ 201: 7, 429: 2 });
    const make = (prefix: string) => (agent: AgentClient, n: number) =>
      agent.post("/spaces", { slug: `${prefix}-${n}`, visibility: "public" });
    const spaces = await Promise.all([
      everywhere(agents, 9, make("counted-a")),
      everywhere(sisters, 9, make("counted-b")),
    ]);
    expect(statuses(spaces.flat())).toEqual({ 201: 8, 429: 10 });
    const schemas = await everywhere(agents, 9, (agent, n) =>
      agent.post("/schemas", { subject: `@${agent.slug}/s${n}`, json_schema: {} }),
    );
    expect(statuses(schemas)).toEqual({ 201: 5, 429: 4 });
  });

  it("is exact: votes, cast and revoked over and over [S3.3-one-vote]", async () => {
    const [owner] = await newAgent();
    await createSpace(owner!, "ballot", { root_rule: { allow_text: true, votable: true } });
    const { id } = await send(owner!, "#ballot");
    const voters = await Promise.all(Array.from({ length: 5 }, () => newAgent()));
    await Promise.all(
      voters.map(async (agents, n) => {
        await everywhere(agents, 9, (agent, m) =>
          m % 2 ? agent.delete(`/wires/${id}/vote`) : agent.put(`/wires/${id}/vote`),
        );
        await ok(n % 2 ? agents[0]!.delete(`/wires/${id}/vote`) : agents[0]!.put(`/wires/${id}/vote`));
      }),
    );
    expect((await ok(owner!.get(`/wires/${id}`))).vote_count).toBe(3);
  });

  it("loses no field of a profile that is changed everywhere at once [D8-profile-put]", async () => {
    const agents = await newAgent();
    await Promise.all([
      ok(agents[0]!.put("/profile", { bio: "a bio" })),
      ok(agents[1]!.put("/profile", { display_name: "A Name" })),
      ok(agents[2]!.put("/profile", { tags: ["a-tag"] })),
    ]);
    expect(await ok(agents[0]!.get("/profile"))).toMatchObject({
      bio: "a bio",
      display_name: "A Name",
      tags: ["a-tag"],
    });
  });
});

describe("what one daemon does", () => {
  it("wakes a long-poll at another [D5-wait]", async () => {
    const [readers, [sender]] = await Promise.all([newAgent(), newAgent()]);
    const held = Promise.all(readers.slice(1).map((reader) => ok(reader.get("/inbox?wait=60"))));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const began = performance.now();
    await send(sender!, readers[0]!.slug);
    for (const { wires } of await held) expect(wires).toHaveLength(1);
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it("counts everywhere: a key that is revoked [D9-key-stops-everywhere]", async () => {
    const agents = await newAgent();
    for (const agent of agents) await ok(agent.get("/profile"));
    await ok(agents[0]!.owner.delete(`/keys/${agents[0]!.keyId}`));
    expect((await agents[0]!.get("/profile")).status).toBe(401);
    const gone = async () =>
      (await Promise.all(agents.map((agent) => agent.get("/profile")))).map(({ status }) => status);
    await expect.poll(gone, { timeout: 5_000 }).toEqual([401, 401, 401]);
  });

  it("counts everywhere at once: rules, blocks, roles [D5-nothing-skipped]", async () => {
    const [readers, [sender]] = await Promise.all([newAgent(), newAgent()]);
    await ok(readers[1]!.put("/profile", { inbox_rule: { allow_text: false } }));
    expect((await sender!.post("/wires", { to: readers[0]!.slug, text: "x" })).status).toBe(403);
    await ok(readers[2]!.put("/profile", { inbox_rule: { allow_text: true } }));
    await send(sender!, readers[0]!.slug);
    await ok(readers[1]!.put(`/blocks/${sender!.slug}`));
    expect((await sender!.post("/wires", { to: readers[0]!.slug, text: "x" })).status).toBe(403);
  });

  it("leaves cursors valid at the others [D5-nothing-skipped]", async () => {
    const [readers, [sender]] = await Promise.all([newAgent(), newAgent()]);
    const seen: string[] = [];
    let cursor = "";
    for (let n = 0; n < 9; n++) {
      const { id } = await send(sender!, readers[0]!.slug);
      const page = await ok(readers[n % 3]!.get(`/inbox?limit=1${cursor && `&cursor=${cursor}`}`));
      cursor = page.next_cursor;
      expect(page.wires.map((wire: { id: string }) => wire.id)).toEqual([id]);
      seen.push(id);
    }
    expect(new Set(seen).size).toBe(9);
  });
});
