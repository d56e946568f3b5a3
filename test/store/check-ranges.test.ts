import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { conditionOf, paramsOf, type RangedTable, rangesOf } from "../../src/store/check/ranges.js";
import { Connection } from "../../src/store/engine/sqlite/connection.js";

const MIB = 1024 * 1024;

/** 5 × 2,501 rows, which is a multiple neither of the rows of a range nor of those of one `a`. */
const COUNTS = { a: 5, b: 2_501 };

let connection: Connection;

beforeAll(async () => {
  connection = await Connection.open(":memory:");
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  await connection.exec(`
    CREATE TABLE pairs (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
    INSERT INTO pairs ${numbers(COUNTS.a * COUNTS.b)} SELECT (i - 1) / ${COUNTS.b}, i FROM n;
    CREATE TABLE texts (pk TEXT PRIMARY KEY, one TEXT, two TEXT);
    INSERT INTO texts ${numbers(40)} SELECT printf('%03d', i), iif(i % 10 = 0, hex(zeroblob(${5 * MIB})), NULL), 'é' FROM n;
    CREATE TABLE empty (pk INTEGER PRIMARY KEY);
  `);
});

afterAll(() => connection.close());

/** Returns the keys and the bytes of the rows of each range. */
async function readRanges(table: RangedTable): Promise<{ keys: string[]; bytes: number }[]> {
  const found = [];
  const bytes = ["0", ...table.texts.map((column) => `coalesce(octet_length(${column}), 0)`)].join(" + ");
  for await (const range of rangesOf(connection, table)) {
    const rows = await connection.all<{ key: string; bytes: number }>(
      `SELECT concat_ws(' ', ${table.key.join(", ")}) AS key, ${bytes} AS bytes FROM ${table.name} x
       WHERE ${conditionOf(table.key, range, "x")} ORDER BY ${table.key.join(", ")}`,
      paramsOf(range),
    );
    found.push({ keys: rows.map(({ key }) => key), bytes: rows.reduce((sum, row) => sum + row.bytes, 0) });
  }
  return found;
}

describe("the ranges of `store check`", () => {
  it("cover every row once, in the order of a key of two columns [C-store-check]", async () => {
    const ranges = await readRanges({ name: "pairs", key: ["a", "b"], texts: [] });
    const rows = ranges.flatMap(({ keys }) => keys);
    expect(rows).toHaveLength(COUNTS.a * COUNTS.b);
    expect(new Set(rows).size).toBe(rows.length);
    expect(ranges.map(({ keys }) => keys.length)).toEqual([5_000, 5_000, 2_505]);
  });

  it("end at 8 MiB of texts, or after a larger one [C-store-check]", async () => {
    const ranges = await readRanges({ name: "texts", key: ["pk"], texts: ["one", "two"] });
    const rows = ranges.flatMap(({ keys }) => keys);
    expect(rows).toEqual(Array.from({ length: 40 }, (_, n) => String(n + 1).padStart(3, "0")));
    for (const { keys, bytes } of ranges) expect(bytes <= 8 * MIB || keys.length === 1).toBe(true);
    expect(ranges.length).toBeLessThan(12);
  });

  it("of a table without rows are one that is open [C-store-check]", async () => {
    expect(await readRanges({ name: "empty", key: ["pk"], texts: [] })).toEqual([{ keys: [], bytes: 0 }]);
  });
});
