/** Makes copied rows searchable: full-text indexes are not copied but made anew, by the same analysis. */
import type { Transaction } from "../engine/engine.js";
import { entityTerms } from "../entities.js";
import { indexText, searchableText, storeTerms } from "../fulltext/index.js";
import type { Row } from "./rows.js";

/** What is searched of the rows of a table; they are stored already, and so is all that they name. */
export async function makeSearchable(tx: Transaction, table: string, rows: readonly Row[]): Promise<void> {
  if (table === "wires") await storeTerms(tx, "wires_fts", rows.flatMap(wireTerms));
  if (table === "entities") {
    await storeTerms(
      tx,
      "entities_fts",
      await entityTerms(
        tx,
        rows.map((row) => row.pk as number),
      ),
    );
  }
}

/** Wires of spaces are searched, until they are removed. */
function wireTerms({ pk, space, removed_at, doc }: Row): [pk: number, terms: string][] {
  if (space === null || removed_at !== null) return [];
  const { text_body, payload } = JSON.parse(doc as string) as { text_body: string | null; payload: unknown };
  return [[pk as number, indexText(String(space), searchableText(text_body, payload))]];
}
