/** Rows of a table, read page by page along its key, and written many at once. */
import type { Session, Transaction } from "../engine/engine.js";
import { type Cell, RowsOf } from "../engine/sql.js";
import type { Table } from "./tables.js";

export type Row = Readonly<Record<string, Cell>>;
/** Where a walk stands: the values of the key of the row that was read last. */
export type Place = readonly (string | number)[];

/** Rows in one page. One with the largest wires stays below 200 MB. */
const PAGE = 500;

/** Walks along the key, from after `place`. Engines may sort texts differently, but each keeps to its own order. */
export async function* pagesOf(session: Session, table: Table, place?: Place): AsyncGenerator<Row[], void> {
  const key = list(table.key);
  const marks = table.key.map(() => "?").join(", ");
  const select = `SELECT ${list(Object.keys(table.columns))} FROM ${table.name}`;
  for (let after = place; ; ) {
    const beyond = after === undefined ? "" : `WHERE (${key}) > (${marks})`;
    const page = await session.all<Row>(`${select} ${beyond} ORDER BY ${key} LIMIT ${PAGE}`, after ?? []);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = placeOf(table, page);
  }
}

/** Where a walk stands that has come to the end of a page. */
export function placeOf(table: Table, page: readonly Row[]): Place {
  const last = page.at(-1)!;
  return table.key.map((column) => last[column] as string | number);
}

export async function insertRows(tx: Transaction, table: Table, rows: readonly Row[]): Promise<void> {
  const names = Object.keys(table.columns);
  const shape = new RowsOf(table.columns);
  const columns = list(names);
  await tx.run(
    `INSERT INTO ${table.name} (${columns}) SELECT ${columns} FROM ${shape.as(tx.engine, "copied")}`,
    [shape.bind(rows.map((row) => names.map((name) => row[name] ?? null)))],
  );
}

export async function countRows(session: Session, { name }: Table): Promise<number> {
  const row = await session.get<{ n: number }>(`SELECT count(*) AS n FROM ${name}`);
  return row!.n;
}

const list = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");
