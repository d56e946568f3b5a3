import { beforeAll, describe, expect, it } from "vitest";
import { expectOk } from "../harness/api-helpers.js";
import type { Body } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { integrityProblems, withDatabase } from "../harness/database.js";
import { listApprovals, sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { readAllPages } from "../harness/pagination.js";

const ROUNDS = 2;
/** A round starts a daemon, which may take long on a busy machine. */
const ROUND_TIMEOUT_MS = 30_000;
const HELD = 60;

const { daemon, sender, reader } = await daemonFixture(["sender", "reader"]);

beforeAll(async () => {
  await setEgressPolicy(sender, { mode: "approval" });
});

/** Approves one wire after the other until the connection breaks. Returns the ids of the approved ones. */
async function approveUntilKilled(ids: string[]): Promise<string[]> {
  const answered: string[] = [];
  for (const id of ids) {
    try {
      const { status, body } = await sender.owner.put(`/approvals/${id}`, { status: "approved" });
      if (status === 200) answered.push(body.wire.id);
      else if (status !== 503) throw new Error(`${status}: ${JSON.stringify(body)}`);
    } catch (error) {
      if (error instanceof TypeError) return answered;
      throw error;
    }
  }
  return answered;
}

async function wholeInbox(): Promise<Body[]> {
  const wires: Body[] = [];
  for (let cursor = ""; ; ) {
    const page = await expectOk(reader.get(`/inbox?limit=100${cursor && `&cursor=${cursor}`}`));
    if (page.wires.length === 0) return wires;
    wires.push(...page.wires);
    cursor = page.next_cursor;
  }
}

describe("SIGKILL during approvals", () => {
  const all: string[] = [];
  const seen: string[] = [];

  // [D9-approved-once] [D12-durable]
  it(`the daemon sends each wire exactly once, in ${ROUNDS} rounds`, {
    timeout: ROUNDS * ROUND_TIMEOUT_MS,
  }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const held = await Promise.all(
        Array.from({ length: HELD }, (_, n) => sendHeldWire(sender, "reader", { text: `${round}.${n}` })),
      );
      all.push(...held.map(({ id }) => id));
      const pending = (await listApprovals(sender, `?status=pending&limit=${HELD}`)).map(
        ({ id }) => id as string,
      );
      expect(pending).toHaveLength(HELD);
      // Two humans approve concurrently, starting from either end of the list.
      const lanes = [approveUntilKilled(pending), approveUntilKilled([...pending].reverse())];
      await new Promise((resolve) => setTimeout(resolve, 60 + 50 * round));
      await daemon.kill();
      const answered = (await Promise.all(lanes)).flat();
      await daemon.restart();

      seen.push(...(await wholeInbox()).map(({ id }) => id as string));
      for (const id of answered) expect(seen).toContain(id);
      // The status of each approval must match the status of its wire.
      const approvals = await readAllPages(sender.owner, "/approvals", "approvals", 100);
      const sent = approvals.filter(({ status, error }) => status === "approved" && error === null);
      expect(sent.map(({ wire }) => wire.id).sort()).toEqual([...seen].sort());
      for (const id of pending) await expectOk(sender.owner.put(`/approvals/${id}`, { status: "approved" }));
      seen.push(...(await wholeInbox()).map(({ id }) => id as string));
      expect([...seen].sort()).toEqual([...all].sort());
    }
  });

  // [D9-approved-once] [D9-held-limits]
  it("the database is intact, and each wire has one number", async () => {
    const check = await withDatabase(daemon.dataDir, async (db) => ({
      problems: await integrityProblems(db),
      gaps: await db.all(
        "SELECT sender FROM wires GROUP BY sender HAVING max(sender_no) <> count(*) OR count(DISTINCT sender_no) <> count(*)",
      ),
      leftovers: await db.all("SELECT pk FROM approvals WHERE doc IS NOT NULL OR sender_no IS NOT NULL"),
      answers: await db.all(
        "SELECT subject FROM audit WHERE action = 'approval.approved' GROUP BY subject HAVING count(*) <> 1",
      ),
    }));
    expect(check).toEqual({
      problems: [],
      gaps: [],
      leftovers: [],
      answers: [],
    });
  });
});
