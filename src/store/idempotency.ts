/** First outcomes of requests that carried an Idempotency-Key (decisions, section 2). */
import { DAY } from "../kernel/clock.js";
import type { Session, Transaction } from "./engine.js";
import { RowsOf, written } from "./sql.js";

export const IDEMPOTENCY_LIFETIME = DAY;

/** What identifies a remembered request: who called what under which key. */
export interface RememberedKey {
  caller: string;
  operation: string;
  key: string;
}

/** The remembered outcome: a hash of the request's input, and the response body as JSON. */
export interface Remembered {
  request: string;
  response: string;
}

export function recall(session: Session, key: RememberedKey, at: number): Promise<Remembered | undefined> {
  return session.get<Remembered>(
    "SELECT request, response FROM idempotency WHERE caller = ? AND operation = ? AND key = ? AND created_at > ?",
    [key.caller, key.operation, key.key, at - IDEMPOTENCY_LIFETIME],
  );
}

const OUTCOMES = new RowsOf({
  caller: "text",
  operation: "text",
  key: "text",
  request: "text",
  response: "text",
  at: "integer",
});
const REMEMBER = written(
  (engine) => `
  INSERT INTO idempotency (caller, operation, key, request, response, created_at)
  SELECT caller, operation, key, request, response, at FROM ${OUTCOMES.as(engine, "outcomes")} WHERE true
  ON CONFLICT (caller, operation, key) DO UPDATE
  SET request = excluded.request, response = excluded.response, created_at = excluded.created_at`,
);

export async function remember(
  tx: Transaction,
  outcomes: readonly (RememberedKey & Remembered)[],
  at: number,
): Promise<void> {
  if (outcomes.length === 0) return;
  const rows = outcomes.map((o) => [o.caller, o.operation, o.key, o.request, o.response, at]);
  await tx.run(REMEMBER, [OUTCOMES.bind(rows)]);
}

/** Forgets outcomes past their time, at most `limit` at once; gives how many went. */
export async function forgetOld(tx: Transaction, at: number, limit: number): Promise<number> {
  const { changes } = await tx.run(
    `DELETE FROM idempotency WHERE (caller, operation, key) IN
       (SELECT caller, operation, key FROM idempotency WHERE created_at <= ? ORDER BY created_at LIMIT ?)`,
    [at - IDEMPOTENCY_LIFETIME, limit],
  );
  return changes;
}
