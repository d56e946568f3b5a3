/** Stores handles, which are the addresses of agents. */
import { countToRead } from "../../contract/page-size.js";
import type { Handle, PostingRule } from "../../contract/shapes.js";
import { isoTime } from "../../kernel/clock.js";
import type { Session, Transaction } from "../engine/engine.js";
import { RoundTrip, Select } from "../engine/selects.js";
import {
  NUMBERED_INTEGERS,
  numberedIntegers,
  perEngine,
  RowsParameter,
  type Sql,
  sql,
} from "../engine/sql.js";

export interface StoredHandle {
  pk: number;
  account: number;
  /** Null if the handle is not suspended. */
  suspendedAt: number | null;
  /** Null if the handle is not retired. Retirement is permanent. */
  retiredAt: number | null;
  resource: Handle;
}

type ConvertedFields = "tags" | "discoverable" | "inbox_rule" | "delivery_receipts" | "created_at";

export interface HandleRow extends Omit<Handle, ConvertedFields | "suspended"> {
  pk: number;
  account: number;
  tags: string;
  discoverable: number;
  inbox_rule: string;
  delivery_receipts: number;
  created_at: number;
  suspended_at: number | null;
  retired_at: number | null;
  operator_at: number | null;
}

export const HANDLE_SELECT = `SELECT h.pk, h.account, h.id, h.slug, a.id AS account_id, h.display_name, h.bio, h.tags, h.discoverable,
  h.contact_policy, h.inbox_rule, h.delivery_receipts, h.space_notices, h.created_at, h.suspended_at, h.retired_at,
  h.operator_at FROM handles h JOIN accounts a ON a.pk = h.account`;

export function toHandle(row: HandleRow): StoredHandle {
  const { pk, account, suspended_at: suspendedAt, retired_at: retiredAt, operator_at, ...fields } = row;
  const resource: Handle = {
    ...fields,
    tags: JSON.parse(row.tags) as string[],
    discoverable: row.discoverable === 1,
    inbox_rule: JSON.parse(row.inbox_rule) as PostingRule,
    delivery_receipts: row.delivery_receipts === 1,
    suspended: suspendedAt !== null,
    operator: operator_at !== null,
    created_at: isoTime(row.created_at),
  };
  return { pk, account, suspendedAt, retiredAt, resource };
}

async function toOptionalHandle(row: Promise<HandleRow | undefined>): Promise<StoredHandle | undefined> {
  const found = await row;
  return found && toHandle(found);
}

/** Ignores retired handles. */
export function handleBySlug(session: Session, slug: string): Promise<StoredHandle | undefined> {
  return toOptionalHandle(
    session.get<HandleRow>(`${HANDLE_SELECT} WHERE h.slug = ? AND h.retired_at IS NULL`, [slug]),
  );
}

/** Slugs of retired handles are never reused (docs/specification/names.md#slugs). */
export function handleBySlugIncludingRetired(
  session: Session,
  slug: string,
): Promise<StoredHandle | undefined> {
  return toOptionalHandle(session.get<HandleRow>(`${HANDLE_SELECT} WHERE h.slug = ?`, [slug]));
}

/** Ignores retired handles. */
export function handleById(session: Session, id: string): Promise<StoredHandle | undefined> {
  return toOptionalHandle(
    session.get<HandleRow>(`${HANDLE_SELECT} WHERE h.id = ? AND h.retired_at IS NULL`, [id]),
  );
}

export function handleByPk(session: Session, pk: number): Promise<StoredHandle | undefined> {
  return toOptionalHandle(session.get<HandleRow>(`${HANDLE_SELECT} WHERE h.pk = ?`, [pk]));
}

const SIZES_OF_ACCOUNT = `SELECT octet_length(inbox_rule) AS bytes FROM handles
  WHERE account = ? AND retired_at IS NULL AND pk > ? ORDER BY pk LIMIT ?`;

/**
 * Returns an account's handles with a primary key above `after`, oldest first, without retired ones. Returns
 * at most one handle more than fits on a page.
 */
export async function handlesOfAccount(
  session: Session,
  account: number,
  after: number,
  limit: number,
): Promise<StoredHandle[]> {
  const sizes = await session.all<{ bytes: number }>(SIZES_OF_ACCOUNT, [account, after, limit]);
  const count = Math.min(countToRead(sizes.map(({ bytes }) => bytes)), limit);
  const rows = await session.all<HandleRow>(
    `${HANDLE_SELECT} WHERE h.account = ? AND h.retired_at IS NULL AND h.pk > ? ORDER BY h.pk LIMIT ?`,
    [account, after, count],
  );
  return rows.map(toHandle);
}

export async function liveHandles(session: Session, account: number): Promise<number[]> {
  const rows = await session.all<{ pk: number }>(
    "SELECT pk FROM handles WHERE account = ? AND retired_at IS NULL ORDER BY pk",
    [account],
  );
  return rows.map(({ pk }) => pk);
}

export type HandleSettings = Pick<
  Handle,
  "display_name" | "bio" | "tags" | "discoverable" | "contact_policy" | "inbox_rule"
>;

export function settingValues(settings: HandleSettings) {
  return [
    settings.display_name,
    settings.bio,
    JSON.stringify(settings.tags),
    settings.discoverable ? 1 : 0,
    settings.contact_policy,
    JSON.stringify(settings.inbox_rule),
  ];
}

export async function insertHandle(
  tx: Transaction,
  handle: HandleSettings & { id: string; slug: string; account: number; createdAt: number },
): Promise<StoredHandle> {
  await tx.run(
    `INSERT INTO handles (display_name, bio, tags, discoverable, contact_policy, inbox_rule, id, slug, account, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [...settingValues(handle), handle.id, handle.slug, handle.account, handle.createdAt],
  );
  return (await handleById(tx, handle.id))!;
}

/**
 * @param build receives SQL for a list of primary keys. Each use of it takes one parameter, from
 *   `numberedIntegers`
 */
export function ofHandles(build: (handles: string) => string): Sql {
  return perEngine(NUMBERED_INTEGERS.table("q"), (table) => build(`(SELECT q.value FROM ${table})`));
}

const RETIRE = ofHandles(
  (
    handles,
  ) => `UPDATE handles SET display_name = ?, bio = ?, tags = ?, discoverable = ?, contact_policy = ?, inbox_rule = ?,
    retired_at = ?, operator_at = NULL WHERE pk IN ${handles}`,
);

/**
 * Retires handles and replaces their profiles with `emptySettings`. Their keys and access tokens stop
 * working, because a lookup of a key or token ignores retired handles. `erasure.ts` later erases their other
 * rows, except wires and schemas.
 */
export async function retireHandles(
  tx: Transaction,
  handles: readonly number[],
  emptySettings: HandleSettings,
  at: number,
): Promise<void> {
  await tx.run(RETIRE, [...settingValues(emptySettings), at, numberedIntegers(handles)]);
}

const [SUSPEND, RESTORE] = ["NULL", "NOT NULL"].map((before) =>
  ofHandles(
    (handles) =>
      `UPDATE handles SET suspended_at = ? WHERE pk IN ${handles} AND suspended_at IS ${before} RETURNING pk`,
  ),
) as [Sql, Sql];

/** Suspends handles, or restores them if `at` is null. Returns the handles that changed. */
export async function markSuspended(
  tx: Transaction,
  handles: readonly number[],
  at: number | null,
): Promise<number[]> {
  const sql = at === null ? RESTORE : SUSPEND;
  const changed = await tx.all<{ pk: number }>(sql, [at, numberedIntegers(handles)]);
  return changed.map(({ pk }) => pk);
}

export type HandleStatus = "active" | "suspended" | "retired";

interface StatusRow {
  i: number;
  suspended_at: number | null;
  retired_at: number | null;
}

const HANDLES = new RowsParameter({ i: "integer", pk: "integer" });
const SELECT_STATUSES = new Select<StatusRow>(
  sql`SELECT q.i, h.suspended_at, h.retired_at FROM ${HANDLES.table("q")} JOIN handles h ON h.pk = q.pk`,
  "i, suspended_at, retired_at",
);

export async function handleStatuses(trip: RoundTrip, pks: readonly number[]): Promise<HandleStatus[]> {
  const statuses: HandleStatus[] = pks.map(() => "retired");
  if (pks.length === 0) return statuses;
  const rows = await trip.select(SELECT_STATUSES, [HANDLES.bind(pks.map((pk, i) => [i, pk]))]);
  for (const { i, suspended_at, retired_at } of rows)
    if (retired_at === null) statuses[i] = suspended_at === null ? "active" : "suspended";
  return statuses;
}

export async function handleStatus(session: Session, pk: number): Promise<HandleStatus> {
  const [status] = await handleStatuses(new RoundTrip(session), [pk]);
  return status!;
}

export async function updateHandle(tx: Transaction, pk: number, settings: HandleSettings): Promise<void> {
  await tx.run(
    `UPDATE handles SET display_name = ?, bio = ?, tags = ?, discoverable = ?, contact_policy = ?, inbox_rule = ?
     WHERE pk = ?`,
    [...settingValues(settings), pk],
  );
}

export async function setSpaceNotices(
  tx: Transaction,
  pk: number,
  setting: Handle["space_notices"],
): Promise<void> {
  await tx.run("UPDATE handles SET space_notices = ? WHERE pk = ?", [setting, pk]);
}
