import type { Transaction } from "../engine.js";
import { RowsOf, type Sql, written } from "../sql.js";

type Table = "wires_fts" | "entities_fts";

const NEW_TERMS = new RowsOf({ pk: "integer", terms: "long" });
const INSERTS: Record<Table, Sql> = { wires_fts: into("wires_fts"), entities_fts: into("entities_fts") };

function into(table: Table): Sql {
  return written((engine) => {
    const terms = engine === "postgres" ? "string_to_array(terms, ' ')" : "terms";
    return `INSERT INTO ${table} (rowid, terms) SELECT pk, ${terms} FROM ${NEW_TERMS.as(engine, "new_terms")}`;
  });
}

/** Makes documents searchable: each by its number, with what `indexText` made of its text. */
export async function storeTerms(
  tx: Transaction,
  table: Table,
  documents: readonly (readonly [pk: number, terms: string])[],
): Promise<void> {
  if (documents.length > 0) await tx.run(INSERTS[table], [NEW_TERMS.bind(documents)]);
}
