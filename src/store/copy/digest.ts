/** Computes checksums of tables, to compare the source and the target of a copy. */
import { sha256Number } from "../../kernel/hash.js";
import type { Session } from "../engine/engine.js";
import { COPY_STATE_KEY } from "./copy-state.js";
import { type Row, readPages } from "./rows.js";
import type { Table } from "./tables.js";

export interface Digest {
  rows: number;
  /** 64 hexadecimal digits, the same on both engines. */
  checksum: string;
}

const MODULUS = 1n << 256n;

/** Adds up the rows' hashes, because the row order can differ between engines. */
export async function digestOf(
  session: Session,
  table: Table,
  onRows: (rows: number) => void = () => undefined,
): Promise<Digest> {
  const columns = Object.keys(table.columns);
  let rows = 0;
  let sum = 0n;
  for await (const page of readPages(session, table)) {
    for (const row of page) {
      if (isCopyState(table, row)) continue;
      sum += sha256Number(JSON.stringify(columns.map((column) => row[column])));
      rows++;
    }
    sum %= MODULUS;
    onRows(rows);
  }
  return { rows, checksum: sum.toString(16).padStart(64, "0") };
}

/** Only the target contains this row. */
function isCopyState(table: Table, row: Row): boolean {
  return table.name === "meta" && row.name === COPY_STATE_KEY;
}
