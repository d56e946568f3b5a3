import { afterAll, beforeAll, expect, it } from "vitest";
import { SearchTimeout, StatementTimeout } from "../../src/store/engine/engine.js";
import { Pool } from "../../src/store/engine/postgres/pool.js";
import { PooledSession } from "../../src/store/engine/postgres/session.js";
import { limitStatements, parsePostgresUrl } from "../../src/store/engine/postgres/url.js";
import { Searcher } from "../../src/store/engine/searcher.js";
import { createEmptyDatabase, dropDatabase } from "../harness/postgres-server.js";

let url: string;
let pool: Pool;

beforeAll(async () => {
  url = await createEmptyDatabase();
  pool = new Pool(parsePostgresUrl(url).config, 2, limitStatements(200));
});
afterAll(async () => {
  await pool.close();
  await dropDatabase(url);
});

const ENDLESS = "SELECT 1 AS n FROM pg_sleep(30)";

// [D5-search-cost]
it("a search statement is stopped when its time is up, and its connection stays usable", async () => {
  const searcher = new Searcher(new PooledSession(pool), 2);
  const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => searcher.all(ENDLESS)));
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(SearchTimeout) });
  expect(await searcher.all("SELECT 1 AS n")).toEqual([{ n: 1 }]);
});

// [D2-read-time]
it("a read is stopped when its time is up, and those that wait for its connection run", async () => {
  const session = new PooledSession(pool);
  const late = Promise.allSettled([session.all(ENDLESS), session.all(ENDLESS)]);
  const pid = "SELECT pg_backend_pid() AS pid";
  const found = await Promise.all(Array.from({ length: 8 }, () => session.all<{ pid: number }>(pid)));
  for (const outcome of await late)
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(StatementTimeout) });
  expect(new Set(found.map(([row]) => row!.pid)).size).toBeLessThanOrEqual(2);
  expect(pool.usedConnections).toBe(0);
});

// [D5-search-cost]
it("a search statement that fails throws its own error", async () => {
  await expect(new Searcher(new PooledSession(pool), 2).all("SELECT nothing")).rejects.toThrow(
    'column "nothing" does not exist',
  );
});
