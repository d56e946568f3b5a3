/**
 * Drops the secondary indexes and foreign keys of an empty PostgreSQL target, and creates them after the rows
 * are copied. Building an index or checking a key once is faster than doing so for each row, because the rows
 * of a page are scattered over the whole index.
 */
import type { Transaction } from "../engine/engine.js";
import { withDetachedPool } from "../engine/postgres/locked-read.js";
import { PostgresTransaction } from "../engine/postgres/session.js";
import { unprepared } from "../engine/sql.js";
import { type CopyState, replaceCopyState } from "./copy-state.js";

/** These tables can have a row for each wire. The copy itself does not need their indexes. */
const TABLES = ["wires", "inbox", "votes", "claims", "wires_fts"]
  .map((table) => `'${table}'::regclass`)
  .join(", ");

const PARTS = `SELECT format('DROP INDEX %s', indexrelid::regclass) AS drop, pg_get_indexdef(indexrelid) AS create
    FROM pg_index WHERE indrelid IN (${TABLES}) AND NOT indisunique
  UNION ALL
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE conrelid IN (${TABLES}) AND contype = 'f'
  ORDER BY 2`;

export async function postpone(tx: Transaction): Promise<string[]> {
  const parts = await tx.all<{ drop: string; create: string }>(PARTS);
  for (const part of parts) await tx.run(unprepared(part.drop));
  return parts.map((part) => part.create);
}

/**
 * Creates the missing indexes and foreign keys, each in a transaction that also stores the progress.
 * @param onProgress receives the number of finished statements, and the total
 */
export async function createPostponed(
  databaseUrl: string,
  target: { state: CopyState },
  onProgress: (done: number, of: number) => void,
): Promise<void> {
  const { postponed = [] } = target.state;
  if (postponed.length === 0) return;
  // Use another pool, because a large index takes minutes and the target's connections time out sooner.
  await withDetachedPool(databaseUrl, (pool) =>
    pool.use(async (lease) => {
      for (const [n, statement] of postponed.entries()) {
        onProgress(n, postponed.length);
        const next = { ...target.state, postponed: postponed.slice(n + 1) };
        const tx = PostgresTransaction.begin(lease);
        try {
          await tx.run("SET LOCAL maintenance_work_mem = '256MB'");
          await tx.run(unprepared(statement));
          await replaceCopyState(tx, target.state, next);
          await tx.commit();
        } catch (error) {
          await tx.rollback();
          throw error;
        }
        target.state = next;
      }
    }),
  );
  onProgress(postponed.length, postponed.length);
}
