/**
 * Rows as SQLite reads them: JSON, but for long texts. Those are bytes, all of a column one after the other, and in the JSON stand
 * their places, as quoting a text only to have it unquoted takes longer than all else that is done with a row.
 */
import type { Cell, Rows } from "../sql.js";

/** What is bound to the `?` of `RowsOf.as`: the texts of each long column, then the rows. */
export function boundRows({ long, cells }: Rows): (string | Buffer)[] {
  if (long.length === 0) return [JSON.stringify(cells)];
  const rows = cells.map((row) => [...row]);
  return [...long.map((column) => takeTexts(rows, column)), JSON.stringify(rows)];
}

/** Puts the place of each text in its cell, and its length at the end of the row, both in bytes. */
function takeTexts(rows: Cell[][], column: number): Buffer {
  const texts: string[] = [];
  let end = 1;
  for (const row of rows) {
    const text = row[column];
    if (typeof text !== "string") {
      row.push(null);
      continue;
    }
    const length = Buffer.byteLength(text);
    texts.push(text);
    row[column] = end;
    row.push(length);
    end += length;
  }
  return Buffer.from(texts.join(""));
}
