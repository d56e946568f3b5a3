import { afterAll, beforeAll, expect, it } from "vitest";
import { SearchTimeout } from "../../src/store/engine/engine.js";
import { Pool } from "../../src/store/engine/postgres/pool.js";
import { Searcher } from "../../src/store/engine/postgres/searcher.js";
import { parsePostgresUrl } from "../../src/store/engine/postgres/url.js";
import { createEmptyDatabase, dropDatabase } from "../harness/postgres-server.js";

let url: string;
let pool: Pool;

beforeAll(async () => {
  url = await createEmptyDatabase();
  pool = new Pool(parsePostgresUrl(url).config, 2);
});
afterAll(async () => {
  await pool.close();
  await dropDatabase(url);
});

it("a search statement is stopped when its time is up, and its connection stays usable [D5-search-cost]", async () => {
  const searcher = new Searcher(pool, 200);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 4 }, () => searcher.all("SELECT 1 AS n FROM pg_sleep(30)")),
  );
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(SearchTimeout) });
  expect(await searcher.all("SELECT current_setting('statement_timeout') AS time")).toEqual([
    { time: "200ms" },
  ]);
  const plain = await pool.use(({ client }) => client.query("SHOW statement_timeout"));
  expect(plain.rows).toEqual([{ statement_timeout: "10s" }]);
});

it("a search statement that fails throws its own error [D5-search-cost]", async () => {
  await expect(new Searcher(pool).all("SELECT nothing")).rejects.toThrow('column "nothing" does not exist');
});
