/**
 * Rebuilds the full-text indexes for copied rows. The index tables are not copied, because they differ
 * between engines.
 */
import type { Transaction } from "../engine/engine.js";
import {
  type Document,
  insertTerms,
  searchableTextOf,
  termsOf,
  type WirePlace,
  wireTerms,
} from "../fulltext/index.js";
import { entityTerms } from "../switchboard.js";
import type { Row } from "./rows.js";

export async function indexRows(tx: Transaction, table: string, rows: readonly Row[]): Promise<void> {
  if (table === "wires") await insertTerms(tx, "wires_fts", rows.flatMap(documentOf));
  if (table === "entities") {
    await insertTerms(
      tx,
      "entities_fts",
      await entityTerms(
        tx,
        rows.map((row) => row.pk as number),
      ),
    );
  }
}

/** Removed wires are not searchable. Direct messages are indexed when somebody searches them. */
function documentOf(row: Row): Document[] {
  if (row.removed_at !== null || row.space === null) return [];
  const { pk, doc, ...place } = row as Row & WirePlace & { pk: number; doc: string };
  return [[pk, wireTerms(place, termsOf(searchableTextOf(doc)))]];
}
