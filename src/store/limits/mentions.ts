/** Stores the times of mentions, which the limit `mentions_per_hour` counts. */
import { DAY } from "../../kernel/clock.js";
import type { Transaction } from "../engine/engine.js";
import { RowsParameter, sql } from "../engine/sql.js";

const MENTIONS = new RowsParameter({ sender: "integer", created_at: "integer" });
const INSERT = sql`INSERT INTO mentions (sender, created_at)
  SELECT sender, created_at FROM ${MENTIONS.table("new_mentions")}`;

export function enqueueMentions(
  tx: Transaction,
  mentions: readonly { sender: number; created_at: number }[],
): void {
  if (mentions.length === 0) return;
  tx.enqueue(INSERT, [MENTIONS.bind(mentions.map(({ sender, created_at }) => [sender, created_at]))]);
}

export async function deleteOldMentions(tx: Transaction, at: number, limit: number): Promise<number> {
  const { changes } = await tx.run(
    "DELETE FROM mentions WHERE pk IN (SELECT pk FROM mentions WHERE created_at <= ? ORDER BY created_at LIMIT ?)",
    [at - DAY, limit],
  );
  return changes;
}
