import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SearchTimeout, StatementTimeout } from "../../src/store/engine/engine.js";
import { Searcher } from "../../src/store/engine/searcher.js";
import { Connection } from "../../src/store/engine/sqlite/connection.js";

const MIB = 1024 * 1024;
const endless = "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) AS n FROM c";

let folder: string;
let connection: Connection;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wireroom-searcher-"));
  connection = await Connection.open(join(folder, "test.db"));
});
afterEach(async () => {
  await connection.close();
  await rm(folder, { recursive: true, force: true });
});

describe("a search statement", () => {
  // [D5-search-cost]
  it("is stopped when its time is up, and the next one runs", async () => {
    connection.limitStatements(100);
    const searcher = new Searcher(connection, 1);
    const [late, next] = await Promise.allSettled([searcher.all(endless), searcher.all("SELECT 1 AS n")]);
    expect(late).toMatchObject({ status: "rejected", reason: expect.any(SearchTimeout) });
    expect(next).toEqual({ status: "fulfilled", value: [{ n: 1 }] });
  });

  // [D5-search-cost]
  it("that fails in time throws its own error", async () => {
    await expect(new Searcher(connection, 1).all("SELECT absent")).rejects.toThrow("no such column: absent");
  });
});

describe("a statement with a time limit", () => {
  // [D2-read-time]
  it("is stopped when its time is up, and those that wait for it all run", async () => {
    connection.limitStatements(100);
    const reads = [
      endless,
      ...Array.from({ length: 20 }, (_, n) => `SELECT ${n} AS n`),
      endless,
      "SELECT 20 AS n",
    ];
    const outcomes = await Promise.allSettled(reads.map((sql) => connection.get<{ n: number }>(sql)));
    const late = outcomes.filter(({ status }) => status === "rejected");
    expect(late.map((outcome) => (outcome as PromiseRejectedResult).reason)).toEqual([
      expect.any(StatementTimeout),
      expect.any(StatementTimeout),
    ]);
    const found = outcomes.filter((outcome) => outcome.status === "fulfilled").map(({ value }) => value!.n);
    expect(found).toEqual(Array.from({ length: 21 }, (_, n) => n));
    expect(await connection.get("SELECT 1 AS n")).toEqual({ n: 1 });
  });

  // [D2-read-time]
  it("is not stopped because others ran for that time before it", async () => {
    connection.limitStatements(1_000);
    const half = endless.replace("FROM c)", "FROM c LIMIT 300000)");
    const reads = Array.from({ length: 40 }, () => connection.get<{ n: number }>(half));
    for (const row of await Promise.all(reads)) expect(row).toEqual({ n: 300_000 });
  });
});

describe("a connection", () => {
  it("keeps a limited number of prepared statements, and runs any number of others", async () => {
    const exists = Array.from(
      { length: 50 },
      (_, n) => `EXISTS (SELECT 1 FROM sqlite_master WHERE rowid = ${n})`,
    );
    const run = async (from: number, to: number) => {
      for (let n = from; n < to; n++) {
        const [row] = await connection.all<{ n: number }>(
          `SELECT ${n} AS n, ${exists.join(" OR ")} AS found`,
        );
        expect(row!.n).toBe(n);
      }
    };
    await run(0, 1_000);
    const before = process.memoryUsage().rss;
    await run(1_000, 3_000);
    // 2,000 more cached statements would take more than 100 MiB.
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * MIB);
    await run(0, 5);
  });
});
