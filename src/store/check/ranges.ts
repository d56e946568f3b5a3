/**
 * Divides a table into ranges of its primary key. A statement about one range ends within a fraction of a
 * second. So no snapshot of the database stays open, which would keep the write-ahead log of a running daemon
 * from being reused.
 */
import type { Session, SqlValue } from "../engine/engine.js";

export interface RangedTable {
  name: string;
  /** The columns of the primary key, in order. */
  key: readonly string[];
  /** Columns with texts that are read as a whole. They limit the size of a range. */
  texts: readonly string[];
}

type KeyValues = readonly (string | number)[];

/** The rows after the key `after`, up to and including the key `to`. An undefined bound is open. */
export interface Range {
  after: KeyValues | undefined;
  to: KeyValues | undefined;
}

/** Limits on the rows of a range, and on the bytes of their texts. A single text may be larger. */
const MAX_ROWS = 5_000;
const MAX_BYTES = 8 * 1024 * 1024;
/**
 * Rows of a range of tables of which each row belongs to many rows of another table, such as the wires of a
 * handle.
 */
const MAX_PARENT_ROWS = 100;
const PARENTS: ReadonlySet<string> = new Set(["handles", "spaces"]);

/** Yields ranges that cover all rows. Rows that are added meanwhile after the last range may be left out. */
export async function* rangesOf(session: Session, table: RangedTable): AsyncGenerator<Range, void> {
  let after: KeyValues | undefined;
  do {
    const to: KeyValues | undefined = await endOfRange(session, table, after);
    yield { after, to };
    after = to;
  } while (after !== undefined);
}

/**
 * Returns the key of the last row of the range that starts after a key; undefined if no more rows follow that
 * range.
 */
async function endOfRange(
  session: Session,
  { name, key, texts }: RangedTable,
  after: KeyValues | undefined,
): Promise<KeyValues | undefined> {
  const rows = PARENTS.has(name) ? MAX_PARENT_ROWS : MAX_ROWS;
  const columns = listOf(key);
  const start = `FROM ${name} WHERE ${conditionOf(key, { after, to: undefined })} ORDER BY ${columns}`;
  const bytes = texts.map((column) => `coalesce(octet_length("${column}"), 0)`).join(" + ");
  const sql =
    texts.length === 0
      ? `SELECT ${columns} ${start} LIMIT 1 OFFSET ${rows - 1}`
      : `SELECT ${columns} FROM (SELECT ${columns}, row_number() OVER (ORDER BY ${columns}) AS row_count,
           sum(bytes) OVER (ORDER BY ${columns} ROWS UNBOUNDED PRECEDING) AS total
           FROM (SELECT ${columns}, ${bytes} AS bytes ${start} LIMIT ${rows}) candidates) sums
         WHERE row_count = 1 OR total <= ${MAX_BYTES} ORDER BY row_count DESC LIMIT 1`;
  const last = await session.get<Record<string, string | number>>(sql, after ?? []);
  return last && key.map((column) => last[column]!);
}

/** Returns the SQL condition for the rows of a range, with a `?n` for each value of {@link paramsOf}. */
export function conditionOf(key: readonly string[], { after, to }: Range, alias?: string): string {
  const prefix = alias === undefined ? "" : `${alias}.`;
  const row = `(${key.map((column) => `${prefix}"${column}"`).join(", ")})`;
  const values = (start: number) => `(${key.map((_, n) => `?${start + n}`).join(", ")})`;
  const conditions = [
    ...(after ? [`${row} > ${values(1)}`] : []),
    ...(to ? [`${row} <= ${values(after ? key.length + 1 : 1)}`] : []),
  ];
  return conditions.length === 0 ? "true" : conditions.join(" AND ");
}

export function paramsOf({ after, to }: Range): SqlValue[] {
  return [...(after ?? []), ...(to ?? [])];
}

/**
 * Returns which part of a table the ranges up to a key have covered, from 0 to 1. The first column of the key
 * decides.
 */
export class Coverage {
  private constructor(private readonly bounds: { first: number; last: number } | undefined) {}

  static async of(session: Session, { name, key }: RangedTable): Promise<Coverage> {
    const column = `"${key[0]}"`;
    const sql = `SELECT (SELECT min(${column}) FROM ${name}) AS first, (SELECT max(${column}) FROM ${name}) AS last`;
    const bounds = await session.get<{ first: unknown; last: unknown }>(sql);
    return new Coverage(
      typeof bounds?.first === "number" ? (bounds as { first: number; last: number }) : undefined,
    );
  }

  upTo({ to }: Range): number {
    if (to === undefined) return 1;
    if (!this.bounds) return 0;
    const { first, last } = this.bounds;
    return Math.min((Number(to[0]) - first + 1) / (last - first + 1), 1);
  }
}

export const listOf = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(", ");
