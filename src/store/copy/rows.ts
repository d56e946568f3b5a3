/** Reads a table in pages ordered by its primary key, and inserts many rows at once. */
import type { Session, Transaction } from "../engine/engine.js";
import { type Cell, RowsParameter, sql } from "../engine/sql.js";
import type { Table } from "./tables.js";

export type Row = Readonly<Record<string, Cell>>;
export type KeyValues = readonly (string | number)[];

/** Even a page of the largest wires fits in memory. */
const PAGE_SIZE = 250;

/**
 * Yields the rows after the key `start` in pages. Reads the next page while the caller uses the current one.
 * The two engines may sort text keys differently.
 */
export async function* readPages(
  session: Session,
  table: Table,
  start?: KeyValues,
): AsyncGenerator<Row[], void> {
  const key = columnList(table.key);
  const placeholders = table.key.map(() => "?").join(", ");
  const select = `SELECT ${columnList(Object.keys(table.columns))} FROM ${table.name}`;
  const readAfter = (after: KeyValues | undefined) => {
    const condition = after === undefined ? "" : `WHERE (${key}) > (${placeholders})`;
    const page = session.all<Row>(`${select} ${condition} ORDER BY ${key} LIMIT ${PAGE_SIZE}`, after ?? []);
    // Prevents an unhandled rejection while the caller uses the previous page.
    page.catch(() => undefined);
    return page;
  };
  let reading = readAfter(start);
  try {
    for (;;) {
      const page = await reading;
      const isLast = page.length < PAGE_SIZE;
      if (!isLast) reading = readAfter(lastKeyOf(table, page));
      if (page.length > 0) yield page;
      if (isLast) return;
    }
  } finally {
    // Wait for the pending read, because the caller may close the session after it stops reading.
    await reading.catch(() => undefined);
  }
}

export function lastKeyOf(table: Table, page: readonly Row[]): KeyValues {
  const last = page.at(-1)!;
  return table.key.map((column) => last[column] as string | number);
}

export async function insertRows(tx: Transaction, table: Table, rows: readonly Row[]): Promise<void> {
  const names = Object.keys(table.columns);
  const shape = new RowsParameter(table.columns);
  const columns = columnList(names);
  await tx.run(sql`INSERT INTO ${table.name} (${columns}) SELECT ${columns} FROM ${shape.table("copied")}`, [
    shape.bind(rows.map((row) => names.map((name) => row[name] ?? null))),
  ]);
}

export async function countRows(session: Session, { name }: Table): Promise<number> {
  const row = await session.get<{ n: number }>(`SELECT count(*) AS n FROM ${name}`);
  return row!.n;
}

const columnList = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");
