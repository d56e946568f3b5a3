import type { Handle, PostingRule } from "../../contract/shapes.js";
import { isoTime } from "../../kernel/clock.js";
import type { Session, Transaction } from "../engine/engine.js";
import { type Query, RowsOf, Select, select } from "../engine/sql.js";

/** A handle as the service sees it: the resource, and the keys that join it to the rest. */
export interface StoredHandle {
  pk: number;
  account: number;
  /** When an operator suspended it; null while it is not. */
  suspendedAt: number | null;
  /** When it was retired for good: it is not addressable, and has no keys. Null while it is not. */
  retiredAt: number | null;
  resource: Handle;
}

export interface HandleRow {
  pk: number;
  account: number;
  id: string;
  slug: string;
  account_id: string;
  display_name: string | null;
  bio: string | null;
  tags: string;
  discoverable: number;
  contact_policy: Handle["contact_policy"];
  inbox_rule: string;
  created_at: number;
  suspended_at: number | null;
  retired_at: number | null;
}

export const HANDLE_SELECT = `SELECT h.pk, h.account, h.id, h.slug, a.id AS account_id, h.display_name, h.bio, h.tags, h.discoverable,
  h.contact_policy, h.inbox_rule, h.created_at, h.suspended_at, h.retired_at
  FROM handles h JOIN accounts a ON a.pk = h.account`;

export function toHandle(row: HandleRow): StoredHandle {
  const { pk, account, suspended_at: suspendedAt, retired_at: retiredAt, ...fields } = row;
  const resource: Handle = {
    ...fields,
    tags: JSON.parse(row.tags) as string[],
    discoverable: row.discoverable === 1,
    inbox_rule: JSON.parse(row.inbox_rule) as PostingRule,
    created_at: isoTime(row.created_at),
  };
  return { pk, account, suspendedAt, retiredAt, resource };
}

async function one(row: Promise<HandleRow | undefined>): Promise<StoredHandle | undefined> {
  const found = await row;
  return found && toHandle(found);
}

/** The handle that a slug addresses: a retired one is not addressable any more. */
export function handleBySlug(session: Session, slug: string): Promise<StoredHandle | undefined> {
  return one(session.get<HandleRow>(`${HANDLE_SELECT} WHERE h.slug = ? AND h.retired_at IS NULL`, [slug]));
}

/** The same, retired ones included: a slug is never given out again (decisions, section 9). */
export function anyHandleBySlug(session: Session, slug: string): Promise<StoredHandle | undefined> {
  return one(session.get<HandleRow>(`${HANDLE_SELECT} WHERE h.slug = ?`, [slug]));
}

/** The handle of an id, unless it is retired. */
export function handleById(session: Session, id: string): Promise<StoredHandle | undefined> {
  return one(session.get<HandleRow>(`${HANDLE_SELECT} WHERE h.id = ? AND h.retired_at IS NULL`, [id]));
}

/** The handle of a pk, retired or not. */
export function handleByPk(session: Session, pk: number): Promise<StoredHandle | undefined> {
  return one(session.get<HandleRow>(`${HANDLE_SELECT} WHERE h.pk = ?`, [pk]));
}

/** Handles of an account in the order of creation, without retired ones. */
export async function handlesOfAccount(session: Session, account: number): Promise<StoredHandle[]> {
  const rows = await session.all<HandleRow>(
    `${HANDLE_SELECT} WHERE h.account = ? AND h.retired_at IS NULL ORDER BY h.pk`,
    [account],
  );
  return rows.map(toHandle);
}

/** What can be set of a handle. */
export type HandleSettings = Pick<
  Handle,
  "display_name" | "bio" | "tags" | "discoverable" | "contact_policy" | "inbox_rule"
>;

function settingValues(settings: HandleSettings) {
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

/** Suspends a handle, or restores it with null; tells whether that changed anything. */
export async function setSuspended(tx: Transaction, pk: number, at: number | null): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE handles SET suspended_at = ? WHERE pk = ? AND suspended_at IS ${at === null ? "NOT NULL" : "NULL"}`,
    [at, pk],
  );
  return changes > 0;
}

/** Whether a handle may act: it is neither suspended nor retired. */
export type Standing = "serving" | "suspended" | "retired";

interface StandingRow {
  i: number;
  suspended_at: number | null;
  retired_at: number | null;
}

const HANDLES = new RowsOf({ i: "integer", pk: "integer" });
const STANDINGS = new Select<StandingRow>(
  (engine) =>
    `SELECT q.i, h.suspended_at, h.retired_at FROM ${HANDLES.as(engine, "q")} JOIN handles h ON h.pk = q.pk`,
  "i, suspended_at, retired_at",
);

/** The query for the standings of handles: see {@link toStanding}. */
export function standingsQuery(pks: readonly number[]): Query<StandingRow> {
  return { select: STANDINGS, params: [HANDLES.bind(pks.map((pk, i) => [i, pk]))] };
}

export function toStanding({ suspended_at, retired_at }: Omit<StandingRow, "i">): Standing {
  if (retired_at !== null) return "retired";
  return suspended_at === null ? "serving" : "suspended";
}

export async function standingOf(session: Session, pk: number): Promise<Standing> {
  const { found } = await select(session, { found: standingsQuery([pk]) });
  return found[0] ? toStanding(found[0]) : "retired";
}

export async function updateHandle(tx: Transaction, pk: number, settings: HandleSettings): Promise<void> {
  await tx.run(
    `UPDATE handles SET display_name = ?, bio = ?, tags = ?, discoverable = ?, contact_policy = ?, inbox_rule = ?
     WHERE pk = ?`,
    [...settingValues(settings), pk],
  );
}
