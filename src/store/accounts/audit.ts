/** The audit log: rows that are only ever appended, in the transaction that does what they record. */
import type { Static } from "typebox";
import type { ErrorCode } from "../../contract/errors.js";
import type { AuditAction, AuditEntry as AuditResource } from "../../contract/operations/audit.js";
import { isoTime, now } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import type { Session, SqlValue, Transaction } from "../engine/engine.js";
import { RowsOf, written } from "../engine/sql.js";

/** What is to be recorded. Its time and id are those of the appending. */
export interface AuditEntry {
  /** pk of the account whose log it is. */
  account: number;
  /** pk of the account's handle that it concerns; null for the account as a whole. */
  handle: number | null;
  /** `human`, `@slug` or `host`. */
  actor: string;
  action: AuditAction;
  /** `@slug`, or kind and id: `key:…`. Never text of a message, a key or a token. */
  subject: string;
  outcome: "ok" | ErrorCode;
  /** Null for what no request did. */
  requestId: string | null;
}

const ENTRIES = new RowsOf({
  id: "text",
  account: "integer",
  handle: "integer",
  at: "integer",
  actor: "text",
  action: "text",
  subject: "text",
  outcome: "text",
  request_id: "text",
});
const COLUMNS = "id, account, handle, at, actor, action, subject, outcome, request_id";
const INSERT = written(
  (engine) => `INSERT INTO audit (${COLUMNS}) SELECT ${COLUMNS} FROM ${ENTRIES.as(engine, "entries")}`,
);

/** Appends entries, in the order given, when the transaction ends. */
export function appendAudit(tx: Transaction, entries: readonly AuditEntry[]): void {
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
    entry.requestId,
  ]);
  tx.enqueue(INSERT, [ENTRIES.bind(rows)]);
}

/** Where an entry stands in its log. */
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
  /** From this time on, and before that one; milliseconds since 1970. */
  since: number | undefined;
  until: number | undefined;
  /** Only entries before this one. */
  before: AuditPosition | undefined;
  limit: number;
}

/** A row as `AUDIT_SELECT` gives it. */
export type AuditRow = Omit<Static<typeof AuditResource>, "at"> & AuditPosition;

export const AUDIT_SELECT = `SELECT x.pk, x.id, x.at, x.actor, h.slug AS handle, x.action, x.subject, x.outcome,
  x.request_id FROM audit x LEFT JOIN handles h ON h.pk = x.handle`;

export function toAuditEntry({ pk, at, id, ...fields }: AuditRow): StoredAuditEntry {
  return { pk, at, resource: { id, at: isoTime(at), ...fields } };
}

/** Entries of an account's log, newest first. */
export async function listAuditEntries(session: Session, query: AuditQuery): Promise<StoredAuditEntry[]> {
  const conditions = ["x.account = ?"];
  const params: SqlValue[] = [query.account];
  const only = (condition: string, ...values: (SqlValue | undefined)[]) => {
    if (values[0] === undefined) return;
    conditions.push(condition);
    params.push(...(values as SqlValue[]));
  };
  only("x.handle = ?", query.handle);
  only("x.action = ?", query.action);
  only("x.at >= ?", query.since);
  only("x.at < ?", query.until);
  only("(x.at, x.pk) < (?, ?)", query.before?.at, query.before?.pk);
  const rows = await session.all<AuditRow>(
    `${AUDIT_SELECT} WHERE ${conditions.join(" AND ")} ORDER BY x.at DESC, x.pk DESC LIMIT ?`,
    [...params, query.limit],
  );
  return rows.map(toAuditEntry);
}
