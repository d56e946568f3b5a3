import { beforeAll, describe, expect, it } from "vitest";
import type { AgentClient, Body } from "../harness/daemon.js";
import { inDatabase, problemsOf } from "../harness/database.js";
import { fileDaemon } from "../harness/file-daemon.js";

const SENDERS = 4;
const ROUNDS = 5;
/** A round starts a daemon; a busy machine may take long to. */
const ROUND_TIMEOUT_MS = 30_000;

const { daemon, reader } = await fileDaemon(["reader"]);
let senders: AgentClient[];

beforeAll(async () => {
  senders = await Promise.all(Array.from({ length: SENDERS }, (_, n) => daemon.agent(`sender-${n}`)));
});

/** A wire that a sender means to send once, whatever happens. */
interface Intent {
  sender: AgentClient;
  key: string;
  text: string;
  /** The answer, once there was one. */
  acknowledged?: Body;
}

async function attempt(intent: Intent): Promise<void> {
  const { sender, key, text } = intent;
  const reply = await sender.post("/wires", { to: "reader", text }, { "Idempotency-Key": key });
  if (reply.status === 201) intent.acknowledged = reply.body;
  else if (reply.status !== 503) throw new Error(`${reply.status}: ${JSON.stringify(reply.body)}`);
}

/** Answers so far, by round. */
const acknowledgements = new Map<number, number>();
const acknowledgedInRound = (round: number) => acknowledgements.get(round) ?? 0;

/** Sends one after the other until the connection breaks; what was begun last is left in doubt. */
async function sendUntilKilled(sender: AgentClient, round: number, lane: number): Promise<Intent[]> {
  const intents: Intent[] = [];
  for (let n = 0; ; n++) {
    const name = `${sender.slug}.${round}.${lane}.${n}`;
    const intent: Intent = { sender, key: name, text: name };
    intents.push(intent);
    try {
      await attempt(intent);
      acknowledgements.set(round, acknowledgedInRound(round) + 1);
    } catch (error) {
      if (error instanceof TypeError) return intents;
      throw error;
    }
  }
}

async function wholeInbox(): Promise<Body[]> {
  const wires: Body[] = [];
  let cursor = "";
  for (;;) {
    const { body } = await reader.get(`/inbox?limit=100${cursor && `&cursor=${cursor}`}`);
    if (body.wires.length === 0) return wires;
    wires.push(...body.wires);
    cursor = body.next_cursor;
  }
}

describe("kill -9 in the middle of concurrent sends", () => {
  const all: Intent[] = [];

  it(`loses nothing that was acknowledged and doubles nothing, in ${ROUNDS} rounds [D12-durable] [D2-idempotent-once]`, {
    timeout: ROUNDS * ROUND_TIMEOUT_MS,
  }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const lanes = senders.flatMap((sender) =>
        [0, 1, 2, 3].map((lane) => sendUntilKilled(sender, round, lane)),
      );
      await new Promise((resolve) => setTimeout(resolve, 150 + 120 * round));
      // On a busy machine the first answer takes longer than that.
      await expect.poll(() => acknowledgedInRound(round), { timeout: 30_000 }).toBeGreaterThan(0);
      await daemon.kill();
      const intents = (await Promise.all(lanes)).flat();
      all.push(...intents);
      const acknowledged = intents.filter((intent) => intent.acknowledged);
      expect(acknowledged.length).toBeGreaterThan(0);
      await daemon.restart();

      // What answered 201 replays the same answer; what was in doubt is sent at last.
      for (const intent of intents) {
        const before = intent.acknowledged;
        await attempt(intent);
        expect(intent.acknowledged).toBeDefined();
        if (before) expect(intent.acknowledged).toEqual(before);
      }
    }
  });

  it("leaves every wire in the inbox exactly once [D12-durable]", async () => {
    const wires = await wholeInbox();
    expect(wires.map(({ id }) => id).sort()).toEqual(all.map((intent) => intent.acknowledged.id).sort());
    expect(new Set(wires.map(({ text_body }) => text_body)).size).toBe(wires.length);
  });

  it("leaves them in the order of their answers [D12-durable]", async () => {
    const { wires } = { wires: await storedOrder() };
    const position = new Map(wires.map((text, index) => [text, index]));
    for (const { text } of all) {
      const [slug, round, lane, n] = text.split(".");
      const next = position.get(`${slug}.${round}.${lane}.${Number(n) + 1}`);
      if (next !== undefined) expect(next).toBeGreaterThan(position.get(text)!);
    }
  });

  it("leaves a sound database, whose limits count each wire once [D12-durable] [D4-stored-only]", async () => {
    const check = await inDatabase(daemon.dataDir, async (db) => ({
      problems: await problemsOf(db),
      gaps: await db.all(
        "SELECT sender FROM wires GROUP BY sender HAVING max(sender_no) <> count(*) OR count(DISTINCT sender_no) <> count(*)",
      ),
      holes: await db.all("SELECT handle FROM inbox GROUP BY handle HAVING max(seq) <> count(*)"),
    }));
    expect(check).toEqual({ problems: [], gaps: [], holes: [] });
  });
});

/** Texts in the order of the reader's log. */
async function storedOrder(): Promise<string[]> {
  const rows = await inDatabase(daemon.dataDir, (db) =>
    db.all<{ doc: string }>(
      "SELECT w.doc FROM inbox i JOIN wires w ON w.pk = i.ref ORDER BY i.handle, i.seq",
    ),
  );
  return rows.map(({ doc }) => (JSON.parse(doc) as { text_body: string }).text_body);
}

describe("kill -9 right after an answer", () => {
  it("keeps spaces, schemas, knocks, contacts, votes, tombstones and checkpoints [D12-durable]", async () => {
    const [alice, bob] = senders as [AgentClient, AgentClient];
    const rule = { allow_text: true, votable: true };
    await alice.post("/spaces", { slug: "durable", visibility: "public", root_rule: rule });
    await alice.post("/schemas", { subject: `@${alice.slug}/durable`, json_schema: { type: "object" } });
    const knock = await bob.post("/knocks", { handle: alice.slug, intro: "hi" });
    await alice.put(`/knocks/${knock.body.id}`, { status: "accepted" });
    const post = await bob.post("/wires", { to: "#durable", text: "vote for me" });
    await alice.put(`/wires/${post.body.id}/vote`);
    const gone = await bob.post("/wires", { to: alice.slug, text: "gone" });
    await bob.delete(`/wires/${gone.body.id}`);
    const { next_cursor } = (await alice.get("/inbox")).body;
    await alice.get(`/inbox?cursor=${next_cursor}`);
    const look = async () =>
      Promise.all(
        [
          alice.get("/spaces/durable"),
          alice.get("/spaces/durable/wires"),
          alice.get(`/schemas/${encodeURIComponent(`@${alice.slug}/durable`)}`),
          alice.get("/contacts"),
          bob.get("/knocks?direction=sent"),
          bob.get(`/wires/${gone.body.id}`),
          alice.get("/inbox"),
        ].map(async (reply) => (await reply).body),
      );
    const before = await look();
    await daemon.kill();
    await daemon.restart();
    expect(await look()).toEqual(before);
    expect(before[6].next_cursor).toBe(next_cursor);
  });
});
