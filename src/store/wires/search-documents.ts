import type { Session, StoreLog } from "../engine/engine.js";
import { NUMBERED_INTEGERS, numberedIntegers, sql } from "../engine/sql.js";
import {
  analyseInTurns,
  type Document,
  searchableTextOf,
  type WirePlace,
  wireTerms,
} from "../fulltext/index.js";

const SELECT_WIRES = sql`SELECT w.pk, w.id, w.space, w.sender, w.recipient, w.doc
  FROM ${NUMBERED_INTEGERS.table("q")} JOIN wires w ON w.pk = q.value WHERE w.removed_at IS NULL`;

/**
 * Computes the search terms of stored wires, and skips damaged ones. Call this outside a transaction, because
 * it takes long. The result stays valid, because a wire's text never changes.
 */
export async function wireDocuments(
  session: Session,
  pks: readonly number[],
  log: StoreLog,
): Promise<Document[]> {
  if (pks.length === 0) return [];
  const wires = await session.all<WirePlace & { pk: number; id: string; doc: string }>(SELECT_WIRES, [
    numberedIntegers(pks),
  ]);
  const documents: Document[] = [];
  for (const { pk, id, doc, ...place } of wires) {
    try {
      documents.push([pk, wireTerms(place, await analyseInTurns("", searchableTextOf(doc)))]);
    } catch (err) {
      log.error({ err, wires: id }, "a stored wire is damaged, so searches do not find it");
    }
  }
  return documents;
}
