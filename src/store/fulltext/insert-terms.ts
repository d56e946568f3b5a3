import type { Transaction } from "../engine/engine.js";
import { perEngine, RowsParameter, type Sql } from "../engine/sql.js";

type Table = "wires_fts" | "entities_fts";

const NEW_TERMS = new RowsParameter({ pk: "integer", terms: "text" });
const INSERTS: Record<Table, Sql> = { wires_fts: into("wires_fts"), entities_fts: into("entities_fts") };

function into(table: Table): Sql {
  return perEngine((engine) => {
    const terms = engine === "postgres" ? "string_to_array(terms, ' ')" : "terms";
    return `INSERT INTO ${table} (rowid, terms) SELECT pk, ${terms} FROM ${NEW_TERMS.table(engine, "new_terms")}`;
  });
}

/** The primary key of a document, and the tokens that `scopedTerms` returns for its text. */
type Document = readonly [pk: number, terms: string];

export async function insertTerms(
  tx: Transaction,
  table: Table,
  documents: readonly Document[],
): Promise<void> {
  if (documents.length > 0) await tx.run(INSERTS[table], [NEW_TERMS.bind(documents)]);
}

/** Queues a write that adds documents to a full-text index. */
export function enqueueTerms(tx: Transaction, table: Table, documents: readonly Document[]): void {
  tx.enqueue(INSERTS[table], [NEW_TERMS.bind(documents)]);
}
