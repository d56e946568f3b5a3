/** What tells whether two tables hold the same rows. */
import { sha256Number } from "../../kernel/hash.js";
import type { Session } from "../engine/engine.js";
import { pagesOf, type Row } from "./rows.js";
import type { INDEXES, Table } from "./tables.js";
import { UNFINISHED } from "./unfinished.js";

export interface Digest {
  rows: number;
  /** Equal for equal rows, in whichever order and on whichever engine; 64 hexadecimal digits. */
  checksum: string;
}

const MODULUS = 1n << 256n;

/** Reads the whole table. The checksum is the sum of the rows' SHA-256, since engines may sort texts differently. */
export async function digestOf(
  session: Session,
  table: Table,
  onRows: (rows: number) => void = () => undefined,
): Promise<Digest> {
  const columns = Object.keys(table.columns);
  let rows = 0;
  let sum = 0n;
  for await (const page of pagesOf(session, table)) {
    for (const row of page) {
      if (isOfTheCopy(table, row)) continue;
      sum += sha256Number(JSON.stringify(columns.map((column) => row[column])));
      rows++;
    }
    sum %= MODULUS;
    onRows(rows);
  }
  return { rows, checksum: sum.toString(16).padStart(64, "0") };
}

/** Where the copy itself stands is noted in the target alone. */
function isOfTheCopy(table: Table, row: Row): boolean {
  return table.name === "meta" && row.name === UNFINISHED;
}

/** How many documents a full-text index holds. */
export async function documentsIn(session: Session, name: (typeof INDEXES)[number]): Promise<number> {
  let documents = 0;
  for await (const page of pagesOf(session, { name, columns: { rowid: "integer" }, key: ["rowid"] })) {
    documents += page.length;
  }
  return documents;
}
