/** Writes documents to the full-text indexes. */
import type { Transaction } from "../engine/engine.js";
import { RowsParameter, type Sql, sql } from "../engine/sql.js";
import { TOKENS_VERSION } from "./terms-table.js";

export type Table = "wires_fts" | "entities_fts";

export type Document = readonly [pk: number, terms: string];

const NEW_TERMS = new RowsParameter({ pk: "integer", terms: "text" });
const INSERTS = perTable(
  (table): Sql => ({
    sqlite: `INSERT INTO ${table} (rowid, terms) SELECT pk, terms FROM ${NEW_TERMS.table("new_terms").sqlite}`,
    postgres: `INSERT INTO ${table} (rowid, terms, tokens)
      SELECT pk, string_to_array(terms, ' '), ${TOKENS_VERSION} FROM ${NEW_TERMS.table("new_terms").postgres}`,
  }),
);
const REPLACEMENTS = perTable(
  (table): Sql => ({
    sqlite: `INSERT OR REPLACE INTO ${table} (rowid, terms) SELECT pk, terms FROM ${NEW_TERMS.table("new_terms").sqlite}
      WHERE EXISTS (SELECT 1 FROM ${table} old WHERE old.rowid = new_terms.pk)`,
    postgres: `UPDATE ${table} SET terms = string_to_array(new_terms.terms, ' '), tokens = ${TOKENS_VERSION}
      FROM ${NEW_TERMS.table("new_terms").postgres} WHERE rowid = pk AND tokens < ${TOKENS_VERSION}`,
  }),
);

const MISSING_WIRES = sql`${INSERTS.wires_fts}
  WHERE EXISTS (SELECT 1 FROM wires w WHERE w.pk = new_terms.pk AND w.removed_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM wires_fts f WHERE f.rowid = new_terms.pk)`;

function perTable(build: (table: Table) => Sql): Record<Table, Sql> {
  return { wires_fts: build("wires_fts"), entities_fts: build("entities_fts") };
}

export async function insertTerms(
  tx: Transaction,
  table: Table,
  documents: readonly Document[],
): Promise<void> {
  if (documents.length > 0) await tx.run(INSERTS[table], [NEW_TERMS.bind(documents)]);
}

export function enqueueTerms(tx: Transaction, table: Table, documents: readonly Document[]): void {
  tx.enqueue(INSERTS[table], [NEW_TERMS.bind(documents)]);
}

/** Skips documents that were deleted in the meantime. */
export function enqueueReplacement(tx: Transaction, table: Table, documents: readonly Document[]): void {
  if (documents.length > 0) tx.enqueue(REPLACEMENTS[table], [NEW_TERMS.bind(documents)]);
}

/** Skips wires that are indexed or were removed. On PostgreSQL, the caller must have locked the wires. */
export function enqueueMissingWires(tx: Transaction, documents: readonly Document[]): void {
  tx.enqueue(MISSING_WIRES, [NEW_TERMS.bind(documents)]);
}
