/** Reads a table in pages ordered by its primary key, and inserts many rows at once. */
import type { Session, Transaction } from "../engine/engine.js";
import { type Cell, RowsParameter } from "../engine/sql.js";
import type { Table } from "./tables.js";

export type Row = Readonly<Record<string, Cell>>;
/** Primary key values of a row. Reading continues after this row. */
export type KeyValues = readonly (string | number)[];

/** Rows per page. 250 wires of the maximum size take less than 100 MB. */
const PAGE_SIZE = 250;

/**
 * Reads all rows after the key `start`, in key order. The order of text keys can differ between engines.
 * While a page is used, the next one is read.
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
    // Prevents an unhandled rejection while the page before is used.
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
    // The caller may close the session when it has stopped reading.
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
  await tx.run(
    `INSERT INTO ${table.name} (${columns}) SELECT ${columns} FROM ${shape.table(tx.engine, "copied")}`,
    [shape.bind(rows.map((row) => names.map((name) => row[name] ?? null)))],
  );
}

export async function countRows(session: Session, { name }: Table): Promise<number> {
  const row = await session.get<{ n: number }>(`SELECT count(*) AS n FROM ${name}`);
  return row!.n;
}

const columnList = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");
