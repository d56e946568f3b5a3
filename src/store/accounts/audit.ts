/**
 * The append-only audit log. Each entry is written in the same transaction as the change that it describes.
 */
import type { Static } from "typebox";
import type { ErrorCode } from "../../contract/errors.js";
import {
  ACTION_NAMES,
  type AuditAction,
  type AuditEntry as AuditResource,
} from "../../contract/operations/audit.js";
import { DAY, isoTime, now } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import type { Session, SqlValue, Transaction } from "../engine/engine.js";
import { RowsParameter, sql } from "../engine/sql.js";

export interface AuditEntry {
  account: number;
  /** Null if the entry is about the account. */
  handle: number | null;
  /** `human`, `@slug` or `host`. */
  actor: string;
  action: AuditAction;
  /**
   * Either `@slug`, or a type and an id such as `key:…`. Must not contain message text, API keys or tokens.
   */
  subject: string;
  outcome: "ok" | ErrorCode;
  reason?: string | undefined;
  /** Names and settings. Must not contain message text, API keys or tokens. */
  detail?: string | undefined;
  /** Null if no request made the change, for example for a command on the host. */
  requestId: string | null;
}

const ENTRIES = new RowsParameter({
  id: "text",
  account: "integer",
  handle: "integer",
  at: "integer",
  actor: "text",
  action: "text",
  subject: "text",
  outcome: "text",
  reason: "text",
  detail: "text",
  request_id: "text",
});
const COLUMNS = "id, account, handle, at, actor, action, subject, outcome, reason, detail, request_id";
const INSERT = sql`INSERT INTO audit (${COLUMNS}) SELECT ${COLUMNS} FROM ${ENTRIES.table("entries")}`;

export function enqueueAuditEntries(tx: Transaction, entries: readonly AuditEntry[]): void {
  const at = now();
  const rows = entries.map((entry) => [
    newId(),
    entry.account,
    entry.handle,
    at,
    entry.actor,
    entry.action,
    entry.subject,
    entry.outcome,
    entry.reason ?? null,
    entry.detail || null,
    entry.requestId,
  ]);
  tx.enqueue(INSERT, [ENTRIES.bind(rows)]);
}

type Actor =
  | { kind: "agent"; pk: number; slug: string; account: { pk: number } }
  | { kind: "human"; account: { pk: number } };

/**
 * Returns the times of an actor's newest `limit` actions, newest first.
 * @param actions the actions to count; undefined counts all actions
 */
export async function timesOfActions(
  session: Session,
  actor: Actor,
  actions: readonly AuditAction[] | undefined,
  times: { after: number; before: number },
  limit: number,
): Promise<number[]> {
  const params: SqlValue[] = [actor.account.pk, times.after, times.before];
  const conditions = ["account = ? AND at > ? AND at < ? AND actor = ?"];
  if (actor.kind === "human") params.push("human");
  else {
    params.push(`@${actor.slug}`, actor.pk);
    // An operator's read is logged once for the operator, and once for each handle whose wires it shows.
    // Count only the operator's entry.
    conditions.push("(action <> 'wire.read' OR handle = ?)");
  }
  if (actions) conditions.push(`action IN (${actions.map((action) => `'${action}'`).join(", ")})`);
  const rows = await session.all<{ at: number }>(
    `SELECT at FROM audit WHERE ${conditions.join(" AND ")} ORDER BY at DESC, pk DESC LIMIT ?`,
    [...params, limit],
  );
  return rows.map(({ at }) => at);
}

/**
 * Lifetime of audit entries (docs/specification/dashboard-operations.md#audit-log). Migration 10 contains the
 * same number.
 */
export const AUDIT_LIFETIME_MS = 400 * DAY;

export interface AuditPosition {
  at: number;
  pk: number;
}

export interface StoredAuditEntry extends AuditPosition {
  resource: Static<typeof AuditResource>;
}

export interface AuditQuery {
  account: number;
  handle: number | undefined;
  action: AuditAction | undefined;
  /** Entries with this action are left out. */
  except: AuditAction | undefined;
  /** In milliseconds since 1970. `since` is inclusive, and `until` is exclusive. */
  since: number | undefined;
  until: number | undefined;
  /** Only entries before this position are returned. */
  before: AuditPosition | undefined;
  limit: number;
}

export type AuditRow = Omit<Static<typeof AuditResource>, "at"> & AuditPosition;

export const AUDIT_SELECT = `SELECT x.pk, x.id, x.at, x.actor, h.slug AS handle, x.action, x.subject, x.outcome,
  x.reason, x.detail, x.request_id FROM audit x LEFT JOIN handles h ON h.pk = x.handle`;

export function toAuditEntry({ pk, at, id, ...fields }: AuditRow): StoredAuditEntry {
  return { pk, at, resource: { id, at: isoTime(at), ...fields } };
}

/**
 * Returns entries of an account's audit log, newest first. The WHERE and ORDER BY clauses name all columns of
 * one index, because both engines would otherwise use an index by time and read entries that the filters
 * exclude. For the same reason, `except` reads each other action by itself.
 */
export async function listAuditEntries(session: Session, query: AuditQuery): Promise<StoredAuditEntry[]> {
  const { action, except, limit } = query;
  const actions = action !== undefined || except === undefined ? [action] : ACTION_NAMES;
  const parts = actions
    .filter((each) => each === undefined || each !== except)
    .map((each) => partOf(query, each));
  if (parts.length === 0) return [];
  const rows = await session.all<AuditRow>(
    `${AUDIT_SELECT} WHERE x.pk IN (SELECT pk FROM (${parts.map(({ sql }) => sql).join(" UNION ALL ")}) found
       ORDER BY at DESC, pk DESC LIMIT ?) ORDER BY x.at DESC, x.pk DESC`,
    [...parts.flatMap(({ params }) => params), limit],
  );
  return rows.map(toAuditEntry);
}

function partOf(
  { account, handle, since, until, before, limit }: AuditQuery,
  action: AuditAction | undefined,
) {
  const filters: [column: string, value: SqlValue][] = [
    handle === undefined ? ["account", account] : ["handle", handle],
  ];
  if (action !== undefined) filters.push(["action", action]);
  const values = filters.map(([, value]) => value);
  const columns = [...filters.map(([column]) => column), "at", "pk"];
  const position = `(${columns.map(() => "?").join(", ")})`;
  const startAt = Math.max(now() - AUDIT_LIFETIME_MS, (since ?? 0) - 1);
  const end = { at: until ?? Number.MAX_SAFE_INTEGER, pk: 0 };
  const { at, pk } = before && before.at < end.at ? before : end;
  const key = `(${columns.join(", ")})`;
  return {
    // `+ 0` keeps the engine from choosing an index by account.
    sql: `SELECT * FROM (SELECT pk, at FROM audit WHERE ${key} > ${position} AND ${key} < ${position}
      AND account + 0 = ? ORDER BY ${columns.map((column) => `${column} DESC`).join(", ")} LIMIT ?) part`,
    params: [...values, startAt, Number.MAX_SAFE_INTEGER, ...values, at, pk, account, limit],
  };
}
