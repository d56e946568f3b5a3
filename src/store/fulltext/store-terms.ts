import type { Transaction } from "../engine/engine.js";
import { RowsOf, type Sql, written } from "../engine/sql.js";

type Table = "wires_fts" | "entities_fts";

const NEW_TERMS = new RowsOf({ pk: "integer", terms: "text" });
const INSERTS: Record<Table, Sql> = { wires_fts: into("wires_fts"), entities_fts: into("entities_fts") };

function into(table: Table): Sql {
  return written((engine) => {
    const terms = engine === "postgres" ? "string_to_array(terms, ' ')" : "terms";
    return `INSERT INTO ${table} (rowid, terms) SELECT pk, ${terms} FROM ${NEW_TERMS.as(engine, "new_terms")}`;
  });
}

/** A document's number and the terms that `indexText` made of its text. */
type Document = readonly [pk: number, terms: string];

/** Makes documents searchable. */
export async function storeTerms(
  tx: Transaction,
  table: Table,
  documents: readonly Document[],
): Promise<void> {
  if (documents.length > 0) await tx.run(INSERTS[table], [NEW_TERMS.bind(documents)]);
}

/** Makes documents searchable when the transaction ends. */
export function enqueueTerms(tx: Transaction, table: Table, documents: readonly Document[]): void {
  tx.enqueue(INSERTS[table], [NEW_TERMS.bind(documents)]);
}
