/** The update of search indexes: of terms that an earlier version has computed, and of direct messages. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSpace, expectOk, sendWire } from "../harness/api-helpers.js";
import { type AgentClient, NO_LIMITS_FEW_LOGS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { type Database, ENGINE, withDatabase } from "../harness/database.js";
import { mapConcurrently } from "../harness/map-concurrently.js";
import { readAllPages } from "../harness/pagination.js";

const WIRES = 1_500;
/** More than a search indexes. */
const MESSAGES = 1_100;
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

describe("the direct messages of a handle that searches for the first time", () => {
  // [D5-search-messages]
  it("are found at once if they are new, and soon if there are many", async () => {
    const [bob, carol] = [await daemon.createAgent("bob"), await daemon.createAgent("carol")];
    const all = Array.from({ length: MESSAGES }, (_, n) => `kestrel ${n}`);
    await mapConcurrently(all, (text) => sendWire(bob, "carol", { text }));
    await sendWire(carol, "carol", { text: "the newest kestrel" });
    const find = async (agent: AgentClient, q: string): Promise<number> => {
      const found = await readAllPages(agent, `/wires/search?q=${q}`, "wires", 100);
      return new Set(found.map(({ id }) => id)).size;
    };
    expect(await find(carol, "newest")).toBe(1);
    expect(await find(carol, "kestrel")).toBeGreaterThanOrEqual(1_000);
    await expect.poll(() => find(carol, "kestrel"), { timeout: 20_000 }).toBe(MESSAGES + 1);
    await sendWire(bob, "carol", { text: "one more kestrel" });
    expect(await find(carol, "kestrel")).toBe(MESSAGES + 2);
    expect(await find(bob, "kestrel")).toBe(MESSAGES + 1);
  });
});
