/** Inbox items other than wires: knocks, and notices of removals, approvals and wires in spaces. */
import type { ErrorEnvelope } from "../../contract/errors.js";
import type { Output } from "../../contract/index.js";
import type { ApprovalNotice } from "../../contract/operations/inbox.js";
import type { SpaceNotice, Tombstone, Wire } from "../../contract/shapes.js";
import { isoTime } from "../../kernel/clock.js";
import type { Session } from "../engine/engine.js";
import { NUMBERED_INTEGERS, numberedIntegers, type Sql, sql } from "../engine/sql.js";
import { KNOCK_SELECT, type KnockRow, toKnock } from "../knocks.js";
import { type FloorTable, floorIn } from "../retention/floors.js";

export const INBOX_KIND = { wire: 1, knock: 2, notice: 3 } as const;
export type InboxKind = keyof typeof INBOX_KIND;
/** Values of the column `notice`, which is null for the notice of a removed wire. */
export const NOTICE = { approval: 1, mention: 2, reply: 3 } as const;

/** Inbox items other than wires, as in the response. */
export type InboxNotices = Omit<Output<"inbox.read">, "wires" | "next_cursor">;
export const NO_NOTICES: InboxNotices = {
  knocks: [],
  tombstone_notices: [],
  approval_notices: [],
  space_notices: [],
};

export type OtherItem = {
  [Name in keyof InboxNotices]: { seq: number; list: Name; item: InboxNotices[Name][number] };
}[keyof InboxNotices];

/** `doc` is the JSON of the notice's wire; null for a knock, an approval and a deleted wire. */
type OtherRow = [
  seq: number,
  kind: number,
  notice: number | null,
  ref: number,
  doc: string | null,
  retainDays: number | null,
  isReadable: number,
];

/** The columns of a subquery whose rows `OTHERS` returns as JSON. */
const OTHER_COLUMNS = "seq, kind, notice, ref, doc, retain_days, is_readable";
export const OTHERS = {
  sqlite: `json_group_array(json_array(${OTHER_COLUMNS}))`,
  postgres: `json_agg(json_build_array(${OTHER_COLUMNS}))`,
};

/** Excludes `withdrawn`, because retention withdraws the newest approval instead of deleting it. */
export const IS_DECIDED = "a.status IN ('approved', 'rejected')";

const KNOCKS = sql`${KNOCK_SELECT} WHERE k.pk IN (SELECT value FROM ${NUMBERED_INTEGERS.table("wanted")})`;

const APPROVALS = sql`SELECT a.pk, a.id, a.kind, a.ref, a.target, a.status, a.note, a.error, a.decided_at, a.wire, w.pk AS kept, s.retain_days
    FROM approvals a LEFT JOIN wires w ON w.pk = a.wire LEFT JOIN spaces s ON s.pk = w.space
    WHERE a.pk IN (SELECT value FROM ${NUMBERED_INTEGERS.table("wanted")}) AND ${IS_DECIDED}`;

interface PageOthers {
  /** JSON that {@link OTHERS} returned; null for none. */
  rows: string | null;
  floors: FloorTable;
  /** The current time, which decides whether a pending knock has expired. */
  at: number;
}

/** Returns the visible items other than wires of each page. */
export async function otherItems(session: Session, pages: readonly PageOthers[]): Promise<OtherItem[][]> {
  const lists = pages.map(({ rows }) => JSON.parse(rows ?? "[]") as OtherRow[]);
  const refsOf = (isWanted: (row: OtherRow) => boolean) =>
    lists
      .flat()
      .filter(isWanted)
      .map(([, , , ref]) => ref);
  const knocks = await rowsByPk<KnockRow>(session, KNOCKS, refsOf(isKnockRow));
  const approvals = await rowsByPk<ApprovalRow>(session, APPROVALS, refsOf(isApprovalRow));
  return lists.map((list, n) => {
    const { floors, at } = pages[n]!;
    return list.flatMap((row): OtherItem | [] => {
      const [seq, , notice, ref, doc, days, isReadable] = row;
      if (isKnockRow(row)) return { seq, list: "knocks", item: toKnock(knocks.get(ref)!, at).resource };
      if (isApprovalRow(row)) {
        const item = toApprovalNotice(approvals.get(ref), floors);
        return item ? { seq, list: "approval_notices", item } : [];
      }
      if (doc === null || ref <= floorIn(floors, days)) return [];
      if (notice === null) return { seq, list: "tombstone_notices", item: toTombstoneNotice(doc) };
      if (isReadable === 0) return [];
      return { seq, list: "space_notices", item: toSpaceNotice(doc, notice) };
    });
  });
}

export function noticesOf(others: readonly OtherItem[]): InboxNotices {
  if (others.length === 0) return NO_NOTICES;
  const notices = structuredClone(NO_NOTICES);
  for (const { list, item } of others) (notices[list] as unknown[]).push(item);
  return notices;
}

function isKnockRow([, kind]: OtherRow): boolean {
  return kind === INBOX_KIND.knock;
}

function isApprovalRow([, , notice]: OtherRow): boolean {
  return notice === NOTICE.approval;
}

async function rowsByPk<Row extends { pk: number }>(
  session: Session,
  sql: Sql,
  pks: readonly number[],
): Promise<Map<number, Row>> {
  if (pks.length === 0) return new Map();
  const rows = await session.all<Row>(sql, [numberedIntegers(pks)]);
  return new Map(rows.map((row) => [row.pk, row]));
}

interface ApprovalRow {
  pk: number;
  id: string;
  kind: ApprovalNotice["kind"];
  ref: string;
  target: string;
  status: "approved" | "rejected";
  note: string | null;
  error: string | null;
  decided_at: number;
  /** Primary key of the wire that was sent; `kept` is null if retention has deleted it. */
  wire: number | null;
  kept: number | null;
  retain_days: number | null;
}

/** Returns undefined if retention has deleted the approval, or hides its wire. */
function toApprovalNotice(row: ApprovalRow | undefined, floors: FloorTable): ApprovalNotice | undefined {
  if (!row) return undefined;
  const { id, kind, ref, target, status, note, error, decided_at, wire, kept, retain_days } = row;
  if (wire !== null && (kept === null || kept <= floorIn(floors, retain_days))) return undefined;
  return {
    approval_id: id,
    kind,
    wire_id: kind === "wire" ? ref : null,
    knock_id: kind === "knock" ? ref : null,
    target,
    status: error === null ? status : "failed",
    note,
    error: error === null ? null : (JSON.parse(error) as ErrorEnvelope).code,
    decided_at: isoTime(decided_at),
  };
}

/** @param notice `NOTICE.mention` or `NOTICE.reply` */
export function toSpaceNotice(doc: string, notice: number): SpaceNotice {
  const { id, thread_id, space, sender, created_at } = JSON.parse(doc) as Wire & { space: string };
  const reason = notice === NOTICE.mention ? "mention" : "reply";
  return { wire_id: id, thread_id, space, sender, reason, created_at };
}

function toTombstoneNotice(doc: string): InboxNotices["tombstone_notices"][number] {
  const wire = JSON.parse(doc) as Wire & { tombstone: Tombstone };
  return {
    wire_id: wire.id,
    thread_id: wire.thread_id,
    removed_by: wire.tombstone.removed_by,
    removed_at: wire.tombstone.at,
  };
}
