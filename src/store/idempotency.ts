/**
 * Stores responses to requests with an Idempotency-Key header (docs/specification/requests.md#idempotency).
 */
import { DAY } from "../kernel/clock.js";
import type { Session, Transaction } from "./engine/engine.js";
import { RoundTrip, Select } from "./engine/selects.js";
import { RowsParameter, sql } from "./engine/sql.js";

const IDEMPOTENCY_LIFETIME_MS = DAY;

export interface IdempotencyKey {
  caller: string;
  operation: string;
  key: string;
}

/** `request` is a hash of the request's input, and `response` is the JSON body. */
export interface StoredResponse {
  request: string;
  response: string;
}

interface StoredResponseRow extends StoredResponse {
  i: number;
}

const KEYS = new RowsParameter({ i: "integer", caller: "text", operation: "text", key: "text" });
const FIND = new Select<StoredResponseRow>(
  sql`
  SELECT q.i, r.request, r.response FROM ${KEYS.table("q")}
  JOIN idempotency r ON r.caller = q.caller AND r.operation = q.operation AND r.key = q.key AND r.created_at > ?`,
  "i, request, response",
);

export async function findStoredResponses(
  trip: RoundTrip,
  keys: readonly (IdempotencyKey | undefined)[],
  at: number,
): Promise<(StoredResponse | undefined)[]> {
  const found = keys.map((): StoredResponse | undefined => undefined);
  const wanted = keys.flatMap((key, i) => (key ? [[i, key.caller, key.operation, key.key]] : []));
  for (const row of await trip.select(FIND, [KEYS.bind(wanted), at - IDEMPOTENCY_LIFETIME_MS]))
    found[row.i] = row;
  return found;
}

export async function findStoredResponse(
  session: Session,
  key: IdempotencyKey,
  at: number,
): Promise<StoredResponse | undefined> {
  const [found] = await findStoredResponses(new RoundTrip(session), [key], at);
  return found;
}

const RESPONSES = new RowsParameter({
  caller: "text",
  operation: "text",
  key: "text",
  request: "text",
  response: "text",
  at: "integer",
});
const UPSERT = sql`
  INSERT INTO idempotency (caller, operation, key, request, response, created_at)
  SELECT caller, operation, key, request, response, at FROM ${RESPONSES.table("responses")} WHERE true
  ON CONFLICT (caller, operation, key) DO UPDATE
  SET request = excluded.request, response = excluded.response, created_at = excluded.created_at`;

/** Replaces expired responses with the same key. */
export function enqueueStoredResponses(
  tx: Transaction,
  responses: readonly (IdempotencyKey & StoredResponse)[],
  at: number,
): void {
  const rows = responses.map((r) => [r.caller, r.operation, r.key, r.request, r.response, at]);
  tx.enqueue(UPSERT, [RESPONSES.bind(rows)]);
}

export async function deleteExpiredResponses(tx: Transaction, at: number, limit: number): Promise<number> {
  const { changes } = await tx.run(
    `DELETE FROM idempotency WHERE (caller, operation, key) IN
       (SELECT caller, operation, key FROM idempotency WHERE created_at <= ? ORDER BY created_at LIMIT ?)`,
    [at - IDEMPOTENCY_LIFETIME_MS, limit],
  );
  return changes;
}
