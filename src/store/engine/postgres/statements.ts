/**
 * Converts statements for the `pg` driver. Numbers placeholders, names prepared statements, and converts
 * parameters and results.
 */
import type { QueryConfig } from "pg";
import type { SqlValue } from "../engine.js";
import { BoundRows, type Cell, type Sql, textFor } from "../sql.js";

/** The number is limited, because a client can create ever more statements by varying the page size. */
const MAX_PREPARED = 1_000;

/** Keyed by SQL text. */
const prepared = new Map<string, { text: string; name: string }>();

export function toQueryConfig(sql: Sql, params: readonly SqlValue[] = []): QueryConfig {
  const text = textFor("postgres", sql);
  const values = params.map(toDriverValue);
  let cached = prepared.get(text);
  if (!cached) {
    if ((typeof sql === "object" && sql.unprepared) || prepared.size >= MAX_PREPARED)
      return { text: numberPlaceholders(text), values, types };
    cached = { text: numberPlaceholders(text), name: `s${prepared.size}` };
    prepared.set(text, cached);
  }
  return { ...cached, values, types };
}

/** As in SQLite, a plain `?` gets the highest number so far plus one. */
function numberPlaceholders(sql: string): string {
  let highest = 0;
  return sql.replace(/'[^']*'|"[^"]*"|\?(\d*)/g, (part, digits: string | undefined) => {
    if (digits === undefined) return part;
    const n = digits === "" ? highest + 1 : Number(digits);
    highest = Math.max(highest, n);
    return `$${n}`;
  });
}

function toDriverValue(value: SqlValue): unknown {
  return value instanceof BoundRows
    ? recordset(value)
    : value instanceof Uint8Array
      ? value
      : toBigintOrText(value);
}

/** Fractions and unsafe integers become a value that matches no stored value. */
function toBigintOrText(value: Cell): Cell {
  if (typeof value === "string") return escapeNul(value);
  if (value === null || !Number.isInteger(value)) return null;
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER));
}

function recordset({ columns, cells }: BoundRows): string {
  const records = cells.map((row) => {
    const record: Record<string, Cell> = {};
    columns.forEach((column, n) => {
      record[column] = toBigintOrText(row[n] ?? null);
    });
    return record;
  });
  return JSON.stringify(records);
}

const toNumber = (text: string) => Number(text);
/** Keyed by type OID. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [16, (text) => (text === "t" ? 1 : 0)],
  ...[20, 21, 23, 700, 701, 1700].map((oid) => [oid, toNumber] as const),
]);
const types = {
  getTypeParser: (oid: number) => PARSERS.get(oid) ?? unescapeNul,
} as unknown as QueryConfig["types"];

/** PostgreSQL cannot store U+0000, so it is stored as U+FFFF and `0`, and U+FFFF as U+FFFF and `1`. */
const ESCAPE = "\uffff";

function escapeNul(text: string): string {
  if (!text.includes("\0") && !text.includes(ESCAPE)) return text;
  return text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll("\0", `${ESCAPE}0`);
}

function unescapeNul(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replace(/\uffff([01])/g, (_pair, digit) => (digit === "1" ? ESCAPE : "\0"));
}
