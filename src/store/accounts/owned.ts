/**
 * Reads all data that an account owns, for its export. Pages are sorted by keys that never change order, so
 * each row is read exactly once, even if other rows are written during the export.
 */
import { isoTime, isoTimeOrNull, now } from "../../kernel/clock.js";
import type { Session } from "../engine/engine.js";
import { IS_READABLE } from "../inbox/inbox.js";
import { INBOX_KIND, NOTICE, toSpaceNotice } from "../inbox/notices.js";
import { KNOCK_SELECT, type KnockRow, toKnock } from "../knocks.js";
import { SCHEMA_COLUMNS, type SchemaRow, toSchema } from "../schemas.js";
import { SPACE_COLUMNS, type SpaceRow, toSpace } from "../spaces.js";
import { CLAIM_COLUMNS, type StoredClaim } from "../wires/claims.js";
import { SMALL_DOC, type WireRow, wireColumns } from "../wires/pages.js";
import { API_KEY_COLUMNS, type ApiKeyRow, toApiKey } from "./api-keys.js";
import { AUDIT_LIFETIME_MS, AUDIT_SELECT, type AuditPosition, type AuditRow, toAuditEntry } from "./audit.js";
import { HANDLE_SELECT, type HandleRow, toHandle } from "./handles.js";

export interface Owner {
  pk: number;
  id: string;
  account: number;
}

/** Includes retired handles. */
export async function handles(session: Session, account: number, after: number, limit: number) {
  const rows = await session.all<HandleRow & { pulled_at: number | null }>(
    `SELECT owned.*, c.pulled_at FROM (${HANDLE_SELECT} WHERE h.account = ? AND h.pk > ? ORDER BY h.pk LIMIT ?) owned
     LEFT JOIN checkpoints c ON c.handle = owned.pk ORDER BY owned.pk`,
    [account, after, limit],
  );
  return rows.map(({ pulled_at: pulledAt, ...row }) => {
    const { pk, suspendedAt, retiredAt, resource } = toHandle(row);
    const states = { suspended_at: isoTimeOrNull(suspendedAt), retired_at: isoTimeOrNull(retiredAt) };
    return { pk, pulledAt, resource: { ...resource, ...states } };
  });
}
export type OwnedHandle = Awaited<ReturnType<typeof handles>>[number];

export async function keys(session: Session, owner: Owner, after: number, limit: number) {
  const rows = await session.all<ApiKeyRow>(
    `SELECT ${API_KEY_COLUMNS} FROM api_keys k JOIN handles h ON h.pk = k.handle
     WHERE k.handle = ? AND k.pk > ? ORDER BY k.pk LIMIT ?`,
    [owner.pk, after, limit],
  );
  return rows.map(toApiKey);
}

export async function related(
  relation: "contacts" | "blocks",
  session: Session,
  owner: Owner,
  after: number,
  limit: number,
) {
  const rows = await session.all<{ pk: number; slug: string; since: number }>(
    `SELECT r.other AS pk, h.slug, r.since FROM ${relation} r JOIN handles h ON h.pk = r.other
     WHERE r.handle = ? AND r.other > ? ORDER BY r.other LIMIT ?`,
    [owner.pk, after, limit],
  );
  return rows.map(({ pk, slug, since }) => ({ pk, resource: { handle: slug, since: isoTime(since) } }));
}

/** A knock between two handles of the account is exported only once, as sent. */
export async function knocks(
  side: "sender" | "target",
  session: Session,
  owner: Owner,
  after: number,
  limit: number,
) {
  const others = side === "sender" ? "" : "AND f.account <> ?";
  const rows = await session.all<KnockRow>(
    `${KNOCK_SELECT} WHERE k.${side} = ? ${others} AND k.pk > ? ORDER BY k.pk LIMIT ?`,
    [owner.pk, ...(side === "sender" ? [] : [owner.account]), after, limit],
  );
  const at = now();
  return rows.map((row) => toKnock(row, at));
}

export async function spaces(session: Session, owner: Owner, after: number, limit: number) {
  const rows = await session.all<SpaceRow>(
    `SELECT ${SPACE_COLUMNS} FROM members m JOIN spaces s ON s.pk = m.space JOIN handles o ON o.pk = s.owner
     WHERE m.handle = ? AND m.role = 'owner' AND s.pk > ? ORDER BY s.pk LIMIT ?`,
    [owner.pk, after, limit],
  );
  return rows.map(toSpace);
}

export async function members(session: Session, space: number, after: number, limit: number) {
  const rows = await session.all<{ pk: number; slug: string; role: SpaceRow["role"]; joined_at: number }>(
    `SELECT m.handle AS pk, h.slug, m.role, m.joined_at FROM members m JOIN handles h ON h.pk = m.handle
     WHERE m.space = ? AND m.handle > ? ORDER BY m.handle LIMIT ?`,
    [space, after, limit],
  );
  return rows.map(({ pk, slug, role, joined_at }) => ({
    pk,
    resource: { handle: slug, role: role!, joined_at: isoTime(joined_at) },
  }));
}
export type OwnedMember = Awaited<ReturnType<typeof members>>[number];

export async function departures(session: Session, owner: Owner, after: number, limit: number) {
  const rows = await session.all<{ pk: number; slug: string; left_at: number }>(
    `SELECT d.space AS pk, s.slug, d.left_at FROM departures d JOIN spaces s ON s.pk = d.space
     WHERE d.handle = ? AND d.space > ? ORDER BY d.space LIMIT ?`,
    [owner.pk, after, limit],
  );
  return rows.map(({ pk, slug, left_at }) => ({ pk, resource: { space: slug, at: isoTime(left_at) } }));
}

export async function schemas(session: Session, owner: Owner, after: number, limit: number) {
  const rows = await session.all<SchemaRow>(
    `SELECT ${SCHEMA_COLUMNS} FROM schemas WHERE registrar = ? AND pk > ? ORDER BY pk LIMIT ?`,
    [owner.pk, after, limit],
  );
  return rows.map(toSchema);
}

/** A large wire has no `doc`, so that a page fits in memory. Load it with `docOf`. */
export interface OwnedWire extends Omit<WireRow, "doc"> {
  wire: number;
  doc: string | null;
  root_rule: string | null;
  space_reply_rule: string | null;
  allow_wire_reply_rules: number | null;
}

const COLUMNS = `w.pk AS wire, ${wireColumns(SMALL_DOC)}`;

export interface SentWire extends OwnedWire {
  created_at: number;
  sender_no: number;
  retain_days: number | null;
}

/**
 * Returns the wires that a handle sent after the wire `after`, oldest first. Reads `created_at` of `after`
 * again, because it changes if the clock is set back.
 */
export function sentWires(
  session: Session,
  owner: Owner,
  after: SentWire | undefined,
  limit: number,
): Promise<SentWire[]> {
  return session.all<SentWire>(
    `SELECT ${COLUMNS}, w.created_at, w.sender_no, s.root_rule, s.reply_rule AS space_reply_rule,
       s.allow_wire_reply_rules, s.retain_days
     FROM wires w LEFT JOIN spaces s ON s.pk = w.space
     WHERE w.sender = ?
       AND (w.created_at, w.sender_no) > (coalesce((SELECT created_at FROM wires WHERE pk = ?), ?), ?)
     ORDER BY w.created_at, w.sender_no LIMIT ?`,
    [owner.pk, after?.wire ?? 0, after?.created_at ?? 0, after?.sender_no ?? 0, limit],
  );
}

/** A message between two handles of the account is exported only once, as sent. */
export async function receivedWires(session: Session, owner: Owner, after: number, limit: number) {
  const noSpaceRules = { root_rule: null, space_reply_rule: null, allow_wire_reply_rules: null };
  const rows = await session.all<Omit<OwnedWire, keyof typeof noSpaceRules> & { seq: number }>(
    `SELECT x.seq, ${COLUMNS} FROM inbox x JOIN wires w ON w.pk = x.ref JOIN handles f ON f.pk = w.sender
     WHERE x.handle = ? AND x.seq > ? AND x.kind = ${INBOX_KIND.wire} AND f.account <> ? ORDER BY x.seq LIMIT ?`,
    [owner.pk, after, owner.account, limit],
  );
  return rows.map(({ seq, ...row }) => ({ ...row, ...noSpaceRules, pk: seq }));
}

/** Omits notices of spaces that the handle cannot read now. */
export async function spaceNotices(session: Session, owner: Owner, after: number, limit: number) {
  const rows = await session.all<{
    seq: number;
    notice: number;
    wire: number;
    doc: string;
    retain_days: number | null;
  }>(
    `SELECT x.seq, x.notice, w.pk AS wire, w.doc, s.retain_days
     FROM inbox x JOIN wires w ON w.pk = -x.ref JOIN spaces s ON s.pk = w.space
     WHERE x.handle = ? AND x.seq > ? AND x.notice IN (${NOTICE.mention}, ${NOTICE.reply}) AND ${IS_READABLE} ORDER BY x.seq LIMIT ?`,
    [owner.pk, after, limit],
  );
  return rows.map(({ seq, notice, doc, ...row }) => ({
    ...row,
    pk: seq,
    resource: toSpaceNotice(doc, notice),
  }));
}

export async function receipts(session: Session, owner: Owner, after: number, limit: number) {
  const rows = await session.all<{ pk: number; at: number; wire_id: string }>(
    `SELECT r.wire AS pk, r.at, w.id AS wire_id FROM receipts r JOIN wires w ON w.pk = r.wire
     WHERE r.handle = ? AND r.wire > ? AND r.at IS NOT NULL ORDER BY r.wire LIMIT ?`,
    [owner.pk, after, limit],
  );
  return rows.map(({ pk, at, wire_id }) => ({ pk, resource: { wire_id, at: isoTime(at) } }));
}

export function votes(
  session: Session,
  owner: Owner,
  after: number,
  limit: number,
): Promise<{ pk: number; wire_id: string; retain_days: number | null }[]> {
  return session.all(
    `SELECT v.wire AS pk, w.id AS wire_id, s.retain_days FROM votes v JOIN wires w ON w.pk = v.wire LEFT JOIN spaces s ON s.pk = w.space
     WHERE v.handle = ? AND v.wire > ? ORDER BY v.wire LIMIT ?`,
    [owner.pk, after, limit],
  );
}

export function claims(
  session: Session,
  owner: Owner,
  after: number,
  limit: number,
): Promise<(StoredClaim & { pk: number; wire_id: string; retain_days: number | null })[]> {
  return session.all(
    `SELECT c.wire AS pk, w.id AS wire_id, s.retain_days, ${CLAIM_COLUMNS} FROM claims c JOIN handles h ON h.pk = c.holder
       JOIN wires w ON w.pk = c.wire JOIN spaces s ON s.pk = c.space
     WHERE c.holder = ? AND c.wire > ? ORDER BY c.wire LIMIT ?`,
    [owner.pk, after, limit],
  );
}

export async function auditEntries(
  session: Session,
  account: number,
  after: AuditPosition | undefined,
  limit: number,
) {
  const rows = await session.all<AuditRow>(
    `${AUDIT_SELECT} WHERE x.account = ? AND x.at > ? AND (x.at, x.pk) > (?, ?) ORDER BY x.at, x.pk LIMIT ?`,
    [account, now() - AUDIT_LIFETIME_MS, after?.at ?? 0, after?.pk ?? 0, limit],
  );
  return rows.map(toAuditEntry);
}
export type OwnedEntry = Awaited<ReturnType<typeof auditEntries>>[number];
