/** Stores spaces and their members. */

import type { Role } from "../contract/fields.js";
import { countToRead } from "../contract/page-size.js";
import type { PostingRule, Space, SpaceDetail } from "../contract/shapes.js";
import { isoTime } from "../kernel/clock.js";
import type { Session, SqlValue, Transaction } from "./engine/engine.js";
import { NUMBERED_INTEGERS, numberedIntegers, RowsParameter, sql, TEXTS, texts } from "./engine/sql.js";

export interface StoredSpace {
  pk: number;
  owner: number;
  /** The role of the handle that was passed to the query; null if it is not a member. */
  role: Role | null;
  resource: Space;
}

type ConvertedFields = "root_rule" | "reply_rule" | "allow_wire_reply_rules" | "created_at" | "tags";

export interface SpaceRow extends Omit<Space, ConvertedFields> {
  pk: number;
  owner: number;
  role: Role | null;
  root_rule: string;
  reply_rule: string;
  allow_wire_reply_rules: number;
  created_at: number;
  tags: string;
}

export const SPACE_COLUMNS = `s.pk, s.owner, m.role, s.id, s.slug, o.id AS owner_handle_id, s.visibility, s.posting_rights,
  s.root_rule, s.reply_rule, s.allow_wire_reply_rules, s.description,
  s.retain_days, s.created_at, s.tags`;
const SELECT = `SELECT ${SPACE_COLUMNS} FROM spaces s JOIN handles o ON o.pk = s.owner
  LEFT JOIN members m ON m.space = s.pk AND m.handle = ?`;

export function toSpace(row: SpaceRow): StoredSpace {
  const { pk, owner, role, ...fields } = row;
  const resource: Space = {
    ...fields,
    root_rule: JSON.parse(row.root_rule) as PostingRule,
    reply_rule: JSON.parse(row.reply_rule) as PostingRule,
    allow_wire_reply_rules: row.allow_wire_reply_rules === 1,
    created_at: isoTime(row.created_at),
    tags: JSON.parse(row.tags) as string[],
  };
  return { pk, owner, role, resource };
}

/** The result includes the role of `handle`. */
export async function spaceBySlug(
  session: Session,
  slug: string,
  handle: number,
): Promise<StoredSpace | undefined> {
  const row = await session.get<SpaceRow>(`${SELECT} WHERE s.slug = ?`, [handle, slug]);
  return row && toSpace(row);
}

export async function spaceByPk(
  session: Session,
  pk: number,
  handle: number,
): Promise<StoredSpace | undefined> {
  const row = await session.get<SpaceRow>(`${SELECT} WHERE s.pk = ?`, [handle, pk]);
  return row && toSpace(row);
}

const RETAIN_DAYS = sql`SELECT s.slug, s.retain_days FROM spaces s
  WHERE s.slug IN (SELECT value FROM ${TEXTS.table("wanted")})`;

/** Returns the `retain_days` of each space, by slug. Skips unknown slugs. */
export async function retainDaysBySlug(
  session: Session,
  slugs: readonly string[],
): Promise<Map<string, number | null>> {
  if (slugs.length === 0) return new Map();
  const rows = await session.all<Pick<SpaceRow, "slug" | "retain_days">>(RETAIN_DAYS, [texts(slugs)]);
  return new Map(rows.map((row) => [row.slug, row.retain_days]));
}

/**
 * Returns a member's spaces, newest membership first. If another page follows, includes one space more than
 * fits on this page.
 */
export async function spacesOfMember(
  session: Session,
  handle: number,
  after: { joinedAt: number; space: number } | undefined,
  limit: number,
): Promise<(StoredSpace & { joinedAt: number })[]> {
  const params: SqlValue[] = [handle];
  if (after) params.push(after.joinedAt, after.space);
  const select = (columns: string) =>
    `SELECT ${columns} FROM members m JOIN spaces s ON s.pk = m.space JOIN handles o ON o.pk = s.owner
     WHERE m.handle = ?${after ? " AND (m.joined_at, m.space) < (?, ?)" : ""}
     ORDER BY m.joined_at DESC, m.space DESC LIMIT ?`;
  const sizes = await session.all<{ bytes: number }>(
    select("octet_length(s.root_rule) + octet_length(s.reply_rule) AS bytes"),
    [...params, limit],
  );
  const count = Math.min(countToRead(sizes.map(({ bytes }) => bytes)), limit);
  const rows = await session.all<SpaceRow & { joined_at: number }>(select(`${SPACE_COLUMNS}, m.joined_at`), [
    ...params,
    count,
  ]);
  return rows.map(({ joined_at, ...row }) => ({ ...toSpace(row), joinedAt: joined_at }));
}

export type SpaceSettings = Pick<
  Space,
  | "posting_rights"
  | "root_rule"
  | "reply_rule"
  | "allow_wire_reply_rules"
  | "description"
  | "tags"
  | "retain_days"
>;

function settingValues(settings: SpaceSettings): SqlValue[] {
  return [
    settings.posting_rights,
    JSON.stringify(settings.root_rule),
    JSON.stringify(settings.reply_rule),
    settings.allow_wire_reply_rules ? 1 : 0,
    settings.description,
    JSON.stringify(settings.tags),
    settings.retain_days,
  ];
}

export async function insertSpace(
  tx: Transaction,
  space: SpaceSettings & {
    id: string;
    slug: string;
    visibility: Space["visibility"];
    creator: { pk: number; account: number };
    createdAt: number;
  },
): Promise<StoredSpace> {
  const { creator } = space;
  const row = await tx.get<{ pk: number }>(
    `INSERT INTO spaces (posting_rights, root_rule, reply_rule, allow_wire_reply_rules, description, tags, retain_days,
       id, slug, visibility, owner, creator, creator_account, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING pk`,
    [
      ...settingValues(space),
      space.id,
      space.slug,
      space.visibility,
      creator.pk,
      creator.pk,
      creator.account,
      space.createdAt,
    ],
  );
  await upsertMembers(tx, row!.pk, new Map([[creator.pk, "owner"]]), space.createdAt);
  return (await spaceByPk(tx, row!.pk, creator.pk))!;
}

export async function updateSpaceSettings(
  tx: Transaction,
  pk: number,
  settings: SpaceSettings,
): Promise<void> {
  await tx.run(
    `UPDATE spaces SET posting_rights = ?, root_rule = ?, reply_rule = ?, allow_wire_reply_rules = ?,
       description = ?, tags = ?, retain_days = ? WHERE pk = ?`,
    [...settingValues(settings), pk],
  );
}

/**
 * Returns the `joined_at` time for new members. It is always later than all stored times of the space,
 * because member cursors need increasing times and two daemons' clocks can differ. The caller must have
 * locked the space.
 */
export async function nextJoinedAt(tx: Transaction, space: number, at: number): Promise<number> {
  const row = await tx.get<{ last: number | null }>(
    "SELECT max(joined_at) AS last FROM members WHERE space = ?",
    [space],
  );
  return Math.max(at, (row?.last ?? 0) + 1);
}

const ROLES = new RowsParameter({ handle: "integer", role: "text" });
const UPSERT_MEMBERS = sql`INSERT INTO members (space, handle, role, joined_at)
    SELECT CAST(? AS bigint), handle, role, CAST(? AS bigint) FROM ${ROLES.table("q")} WHERE true
    ON CONFLICT (space, handle) DO UPDATE SET role = excluded.role`;
const FORGET_DEPARTURES = sql`DELETE FROM departures WHERE space = ?
  AND handle IN (SELECT handle FROM ${ROLES.table("q")})`;

/** A role change keeps the joining time. */
export async function upsertMembers(
  tx: Transaction,
  space: number,
  roles: ReadonlyMap<number, Role>,
  at: number,
): Promise<void> {
  if (roles.size === 0) return;
  const rows = ROLES.bind([...roles]);
  await tx.run(UPSERT_MEMBERS, [space, at, rows]);
  await tx.run(FORGET_DEPARTURES, [space, rows]);
}

const REMOVE_MEMBERS = sql`DELETE FROM members WHERE space = ?
    AND handle IN (SELECT q.value FROM ${NUMBERED_INTEGERS.table("q")}) RETURNING handle`;

/** Returns the handles that were members. */
export async function removeMembers(
  tx: Transaction,
  space: number,
  handles: readonly number[],
): Promise<number[]> {
  if (handles.length === 0) return [];
  const removed = await tx.all<{ handle: number }>(REMOVE_MEMBERS, [space, numberedIntegers(handles)]);
  return removed.map(({ handle }) => handle);
}

/** The caller must have removed the membership. */
export async function recordDeparture(
  tx: Transaction,
  space: number,
  handle: number,
  at: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO departures (handle, space, left_at) VALUES (?, ?, ?)
     ON CONFLICT (handle, space) DO UPDATE SET left_at = excluded.left_at`,
    [handle, space, at],
  );
}

/** The old owner becomes a moderator (docs/specification/knocks.md#members-of-spaces). */
export async function transferSpace(
  tx: Transaction,
  space: number,
  from: number,
  to: number,
  at: number,
): Promise<void> {
  await upsertMembers(
    tx,
    space,
    new Map([
      [from, "mod"],
      [to, "owner"],
    ]),
    at,
  );
  await tx.run("UPDATE spaces SET owner = ? WHERE pk = ?", [to, space]);
}

export async function memberCounts(session: Session, space: number): Promise<SpaceDetail["member_counts"]> {
  const counts = { owner: 0, mod: 0, poster: 0, reader: 0 };
  const rows = await session.all<{ role: Role; n: number }>(
    "SELECT role, count(*) AS n FROM members WHERE space = ? GROUP BY role",
    [space],
  );
  for (const row of rows) counts[row.role] = row.n;
  return counts;
}

export interface Member {
  handle: number;
  slug: string;
  role: Role;
  joined_at: number;
}

export function membersOf(
  session: Session,
  space: number,
  after: { joinedAt: number; handle: number } | undefined,
  limit: number,
): Promise<Member[]> {
  return session.all<Member>(
    `SELECT m.handle, h.slug, m.role, m.joined_at FROM members m JOIN handles h ON h.pk = m.handle
     WHERE m.space = ? AND (m.joined_at, m.handle) > (?, ?) ORDER BY m.joined_at, m.handle LIMIT ?`,
    [space, after?.joinedAt ?? 0, after?.handle ?? 0, limit],
  );
}
