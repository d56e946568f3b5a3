/** First outcomes of requests that carried an Idempotency-Key (decisions, section 2). */
import { DAY } from "../kernel/clock.js";
import type { Session, Transaction } from "./engine/engine.js";
import { type Query, RowsOf, Select, select, written } from "./engine/sql.js";

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

/** A remembered outcome of call `i` of those asked for. */
export interface RememberedRow extends Remembered {
  i: number;
}

const KEYS = new RowsOf({ i: "integer", caller: "text", operation: "text", key: "text" });
const RECALL = new Select<RememberedRow>(
  (engine) => `
  SELECT q.i, r.request, r.response FROM ${KEYS.as(engine, "q")}
  JOIN idempotency r ON r.caller = q.caller AND r.operation = q.operation AND r.key = q.key AND r.created_at > ?`,
  "i, request, response",
);

/** The query for the outcomes of keys, of which some may be left out. */
export function recallQuery(keys: readonly (RememberedKey | undefined)[], at: number): Query<RememberedRow> {
  const rows = keys.flatMap((key, i) => (key ? [[i, key.caller, key.operation, key.key]] : []));
  return { select: RECALL, params: [KEYS.bind(rows), at - IDEMPOTENCY_LIFETIME] };
}

export async function recall(
  session: Session,
  key: RememberedKey,
  at: number,
): Promise<Remembered | undefined> {
  const { found } = await select(session, { found: recallQuery([key], at) });
  return found[0];
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

/** Remembers outcomes when the transaction ends. */
export function remember(
  tx: Transaction,
  outcomes: readonly (RememberedKey & Remembered)[],
  at: number,
): void {
  const rows = outcomes.map((o) => [o.caller, o.operation, o.key, o.request, o.response, at]);
  tx.enqueue(REMEMBER, [OUTCOMES.bind(rows)]);
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
