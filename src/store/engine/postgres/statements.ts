/** Statements as the driver takes them: `$n` for `?`, prepared under a name, values as PostgreSQL can hold them. */
import type { QueryConfig } from "pg";
import type { SqlValue } from "../engine.js";
import { type Cell, Rows, type Sql, textFor } from "../sql.js";
import { fromStored, toStored } from "./text.js";

/** Statements are prepared once a connection; the set of their texts is that of the source code, so it is bounded. */
const prepared = new Map<string, { text: string; name: string }>();

export function statement(sql: Sql, params: readonly SqlValue[] = []): QueryConfig {
  const text = textFor("postgres", sql);
  const values = params.map(bound);
  if (typeof sql === "object" && sql.once) return { text: withNumbers(text), values, types };
  let known = prepared.get(text);
  if (!known) {
    known = { text: withNumbers(text), name: `s${prepared.size}` };
    prepared.set(text, known);
  }
  return { ...known, values, types };
}

/** `$1`, `$2` … for each `?` that is not within quotes, and `$n` for `?n`. As in SQLite, a `?` follows the highest before it. */
function withNumbers(sql: string): string {
  let highest = 0;
  return sql.replace(/'[^']*'|"[^"]*"|\?(\d*)/g, (part, digits: string | undefined) => {
    if (digits === undefined) return part;
    const n = digits === "" ? highest + 1 : Number(digits);
    highest = Math.max(highest, n);
    return `$${n}`;
  });
}

function bound(value: SqlValue): unknown {
  return value instanceof Rows ? recordset(value) : value instanceof Uint8Array ? value : cell(value);
}

/** Nothing that is stored equals a number that is not whole, or is as large as one that an int8 cannot hold. */
function cell(value: Cell): Cell {
  if (typeof value === "string") return toStored(value);
  if (value === null || !Number.isInteger(value)) return null;
  return Math.min(value, Number.MAX_SAFE_INTEGER);
}

/** Rows as `json_to_recordset` reads them. */
function recordset({ columns, cells }: Rows): string {
  const records = cells.map((row) => {
    const record: Record<string, Cell> = {};
    columns.forEach((column, n) => {
      record[column] = cell(row[n] ?? null);
    });
    return record;
  });
  return JSON.stringify(records);
}

const toNumber = (text: string) => Number(text);
/** What comes back, by the type's OID: numbers for int8, int4, int2, float and numeric, 0 and 1 for boolean, text for the rest. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [16, (text) => (text === "t" ? 1 : 0)],
  ...[20, 21, 23, 700, 701, 1700].map((oid) => [oid, toNumber] as const),
]);
const types = {
  getTypeParser: (oid: number) => PARSERS.get(oid) ?? fromStored,
} as unknown as QueryConfig["types"];
