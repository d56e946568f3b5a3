/**
 * Rebuilds the full-text indexes for copied rows. The index tables are not copied, because they differ
 * between engines.
 */
import type { Transaction } from "../engine/engine.js";
import { insertTerms, scopedTerms, searchableTextOf } from "../fulltext/index.js";
import { entityTerms } from "../switchboard.js";
import type { Row } from "./rows.js";

export async function indexRows(tx: Transaction, table: string, rows: readonly Row[]): Promise<void> {
  if (table === "wires") await insertTerms(tx, "wires_fts", rows.flatMap(wireTerms));
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

/** Direct messages and removed wires are not searchable. */
function wireTerms({ pk, space, removed_at, doc }: Row): [pk: number, terms: string][] {
  if (space === null || removed_at !== null) return [];
  return [[pk as number, scopedTerms(String(space), searchableTextOf(doc as string))]];
}
