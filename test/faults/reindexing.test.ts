/** The update of a search index whose terms an earlier version has computed. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSpace, expectOk, sendWire } from "../harness/api-helpers.js";
import { type AgentClient, NO_LIMITS_FEW_LOGS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { type Database, ENGINE, withDatabase } from "../harness/database.js";
import { mapConcurrently } from "../harness/map-concurrently.js";

const WIRES = 1_500;
/** The terms of "entry at src/store/tokens.ts 服务器" as that version computed them. */
const OLD_TERMS = ["", "entri", "", "src/store/tokens.ts", "服务器"]
  .map((term) => `space || ':${term}'`)
  .join(" || ' ' || ");
const OLD_INDEX =
  ENGINE === "sqlite"
    ? `INSERT INTO wires_fts (rowid, terms) SELECT pk, ${OLD_TERMS} FROM wires WHERE space IS NOT NULL`
    : `INSERT INTO wires_fts (rowid, terms) SELECT pk, string_to_array(${OLD_TERMS}, ' ') FROM wires WHERE space IS NOT NULL`;

async function takeBackMigrations(database: Database): Promise<void> {
  await database.run("DELETE FROM migrations WHERE id IN (27, 28)");
  if (ENGINE === "postgres") {
    for (const table of ["wires_fts", "entities_fts"])
      await database.run(`ALTER TABLE ${table} DROP COLUMN tokens`);
  }
  await database.run("DELETE FROM wires_fts WHERE rowid > 0");
  await database.run(OLD_INDEX);
}

let daemon: TestDaemon;
let alice: AgentClient;

/** Returns the number of wires that a search finds. Its pages may be short. */
async function find(q: string): Promise<number> {
  let count = 0;
  for (let cursor: string | null = "s:0"; cursor !== null; ) {
    const page = await expectOk(
      alice.get(`/spaces/ops/search?q=${encodeURIComponent(q)}&limit=100&cursor=${cursor}`),
    );
    count += page.wires.length;
    cursor = page.next_cursor;
  }
  return count;
}

beforeAll(async () => {
  daemon = await startDaemon({ args: NO_LIMITS_FEW_LOGS });
  alice = await daemon.createAgent("alice");
  await createSpace(alice, "ops");
});
afterAll(() => daemon.stop());

describe("a search index of an earlier version", () => {
  it("is updated in steps, also after a kill, and keeps finding what it found", async () => {
    const text = "entry at src/store/tokens.ts 服务器";
    const oldest = await sendWire(alice, "#ops", { text });
    await mapConcurrently(Array.from({ length: WIRES }), () => sendWire(alice, "#ops", { text }));
    await daemon.restart(() => withDatabase(daemon.dataDir, takeBackMigrations));
    await expectOk(alice.delete(`/wires/${oldest.id}`));
    expect(await find("服务器 entry")).toBe(WIRES);
    await expect.poll(() => find("务器"), { interval: 5 }).toBeGreaterThan(0);
    await daemon.kill();
    await daemon.restart();
    expect(await find("entry")).toBe(WIRES);
    for (const q of ["务器", "tokens.ts", "src/store/tokens.ts", "store"])
      await expect.poll(() => find(q), { timeout: 20_000 }).toBe(WIRES);
    expect(await find("entry")).toBe(WIRES);
  });

  it.runIf(ENGINE === "postgres")("also when a daemon of that version adds to it later", async () => {
    const { id } = await sendWire(alice, "#ops", { text: "entry at src/store/late.ts" });
    await daemon.restart(() =>
      withDatabase(daemon.dataDir, (database) =>
        database.run(
          "UPDATE wires_fts SET terms = terms[1:2], tokens = 1 WHERE rowid = (SELECT pk FROM wires WHERE id = ?)",
          id,
        ),
      ),
    );
    await expect.poll(() => find("late.ts"), { timeout: 10_000 }).toBe(1);
  });
});
