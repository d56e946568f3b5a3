/** Looks up and removes single wires, and stores votes on them. */
import type { Role } from "../../contract/fields.js";
import type { PostingRule, Space, Tombstone } from "../../contract/shapes.js";
import { isoTime } from "../../kernel/clock.js";
import type { Session, Transaction } from "../engine/engine.js";
import { type RoundTrip, Select } from "../engine/selects.js";
import { RowsParameter, sql, TEXTS, texts } from "../engine/sql.js";
import { appendToInbox } from "../inbox/inbox.js";
import { deleteClaim } from "./claims.js";
import { type WireRow, wireColumns } from "./pages.js";

export interface StoredWire extends WireRow {
  id: string;
  sender: number;
  recipient: number | null;
  thread: number;
  tombstone: Tombstone | null;
  /** The wire's space, with the role that the reading handle has in it. Null for a direct message. */
  space: WireSpace | null;
}

export interface WireSpace {
  pk: number;
  slug: string;
  visibility: Space["visibility"];
  postingRights: Space["posting_rights"];
  role: Role | null;
  rootRule: PostingRule;
  replyRule: PostingRule;
  allowWireReplyRules: boolean;
  /** Null if wires are never hidden. */
  retainDays: number | null;
}

export type SpaceRules = Pick<WireSpace, "rootRule" | "replyRule" | "allowWireReplyRules">;

interface FullRow extends WireRow, RulesRow {
  id: string;
  sender: number;
  recipient: number | null;
  thread: number;
  removed_by: Tombstone["removed_by"] | null;
  removed_at: number | null;
  s_pk: number | null;
  slug: string;
  visibility: Space["visibility"];
  posting_rights: Space["posting_rights"];
  role: Role | null;
  retain_days: number | null;
}

const FACTS = `w.id, w.sender, w.recipient, w.thread, w.removed_by, w.removed_at, s.pk AS s_pk, s.slug, s.visibility,
  s.posting_rights, m.role, s.root_rule, s.reply_rule, s.allow_wire_reply_rules, s.retain_days`;
const SPACE_AND_ROLE = (handle: string) =>
  `LEFT JOIN spaces s ON s.pk = w.space LEFT JOIN members m ON m.space = s.pk AND m.handle = ${handle}`;

/** Includes the wire's space, and the role of `handle` in it. */
export async function wireById(
  session: Session,
  id: string,
  handle: number,
): Promise<StoredWire | undefined> {
  const row = await session.get<FullRow>(
    `SELECT ${wireColumns()}, ${FACTS} FROM wires w ${SPACE_AND_ROLE("?")} WHERE w.id = ?`,
    [handle, id],
  );
  return row && withSpace(row);
}

function withSpace<Row extends Omit<FullRow, "doc" | "vote_count">>(row: Row) {
  const { removed_by, removed_at } = row;
  return {
    ...row,
    tombstone: removed_by && { removed_by, at: isoTime(removed_at!) },
    space: row.s_pk === null ? null : toWireSpace(row),
  };
}

const WANTED = new RowsParameter({ i: "integer", id: "text", handle: "integer" });
const WITHOUT_DOC = new Select<Omit<FullRow, "doc" | "vote_count"> & { i: number }>(
  sql`SELECT q.i, w.pk, w.reply_to IS NULL AS is_root, w.parent_votable, ${FACTS}
    FROM ${WANTED.table("q")} JOIN wires w ON w.id = q.id ${SPACE_AND_ROLE("q.handle")}`,
  "i, pk, is_root, parent_votable, id, sender, recipient, thread, removed_by, removed_at, s_pk, slug, visibility, posting_rights, role, root_rule, reply_rule, allow_wire_reply_rules, retain_days",
);

export type WireWithoutDoc = Omit<StoredWire, "doc" | "vote_count">;

/** Like {@link wireById} for many wires, without their JSON. */
export async function wiresWithoutDoc(
  trip: RoundTrip,
  wanted: readonly { id: string; handle: number }[],
): Promise<(WireWithoutDoc | undefined)[]> {
  const rows = wanted.map(({ id, handle }, i) => [i, id, handle]);
  const found: (WireWithoutDoc | undefined)[] = wanted.map(() => undefined);
  for (const row of await trip.select(WITHOUT_DOC, [WANTED.bind(rows)])) found[row.i] = withSpace(row);
  return found;
}

/** Returns any wire of a thread whose first wire was deleted by retention. */
export async function wireOfDeletedRoot(
  session: Session,
  id: string,
  handle: number,
): Promise<StoredWire | undefined> {
  const left = await session.get<{ id: string | null }>(
    `SELECT coalesce(
       (SELECT w.id FROM wires w WHERE w.thread = r.thread AND w.space IS NOT NULL ORDER BY w.pk DESC LIMIT 1),
       (SELECT w.id FROM wires w WHERE w.thread = r.thread AND w.recipient IS NOT NULL AND w.reply_to IS NOT NULL LIMIT 1)
     ) AS id FROM thread_roots r WHERE r.id = ?`,
    [id],
  );
  return left?.id ? wireById(session, left.id, handle) : undefined;
}

function toWireSpace(row: Omit<FullRow, "doc" | "vote_count">): WireSpace {
  const { slug, visibility, posting_rights: postingRights, role, retain_days: retainDays } = row;
  return { pk: row.s_pk!, slug, visibility, postingRights, role, retainDays, ...toRules(row) };
}

export interface RulesRow {
  root_rule: string;
  reply_rule: string;
  allow_wire_reply_rules: number;
}

export function toRules(row: RulesRow): SpaceRules {
  return {
    rootRule: JSON.parse(row.root_rule) as PostingRule,
    replyRule: JSON.parse(row.reply_rule) as PostingRule,
    allowWireReplyRules: row.allow_wire_reply_rules === 1,
  };
}

const BY_ID = sql`
  SELECT ${wireColumns()}, w.id, s.pk AS s_pk, s.root_rule, s.reply_rule, s.allow_wire_reply_rules, s.retain_days
  FROM wires w LEFT JOIN spaces s ON s.pk = w.space WHERE w.id IN (SELECT value FROM ${TEXTS.table("wanted")})`;

/** Skips unknown ids. */
export async function wiresById(
  session: Session,
  ids: readonly string[],
): Promise<Map<string, { wire: WireRow; rules: SpaceRules | null; retainDays: number | null }>> {
  const rows = await session.all<FullRow>(BY_ID, [texts(ids)]);
  return new Map(
    rows.map((row) => {
      const rules = row.s_pk === null ? null : toRules(row);
      return [row.id, { wire: row, rules, retainDays: row.retain_days }];
    }),
  );
}

/**
 * Deletes a wire's text and payload, and removes the wire from the search index. Appends a tombstone notice
 * to the inboxes of the handles in `notify` (docs/specification/reading.md#tombstones).
 */
export async function replaceWithTombstone(
  tx: Transaction,
  wire: { pk: number; doc: string; space: { pk: number } | null },
  removedBy: Tombstone["removed_by"],
  at: number,
  notify: readonly number[],
): Promise<Tombstone> {
  const tombstone: Tombstone = { removed_by: removedBy, at: isoTime(at) };
  const doc = { ...(JSON.parse(wire.doc) as object), text_body: null, payload: null, tombstone };
  await tx.run("UPDATE wires SET doc = ?, removed_by = ?, removed_at = ? WHERE pk = ?", [
    JSON.stringify(doc),
    removedBy,
    at,
    wire.pk,
  ]);
  await tx.run("DELETE FROM wires_fts WHERE rowid = ?", [wire.pk]);
  await deleteClaim(tx, wire.pk);
  if (wire.space) tx.publish({ topic: "feed", space: wire.space.pk, isNewWire: false });
  await tx.lock("handles", "pk", notify);
  for (const handle of notify) await appendToInbox(tx, handle, "notice", wire.pk);
  return tombstone;
}

/** Returns the new vote count. A repeated call changes nothing. */
export async function setVote(
  tx: Transaction,
  { pk, space }: { pk: number; space: { pk: number } | null },
  handle: number,
  voted: boolean,
): Promise<number> {
  const { changes } = voted
    ? await tx.run("INSERT INTO votes (wire, handle) VALUES (?, ?) ON CONFLICT DO NOTHING", [pk, handle])
    : await tx.run("DELETE FROM votes WHERE wire = ? AND handle = ?", [pk, handle]);
  if (changes > 0) {
    await tx.run("UPDATE wires SET vote_count = vote_count + ? WHERE pk = ?", [voted ? 1 : -1, pk]);
    if (space) tx.publish({ topic: "feed", space: space.pk, isNewWire: false });
  }
  const row = await tx.get<{ vote_count: number }>("SELECT vote_count FROM wires WHERE pk = ?", [pk]);
  return row!.vote_count;
}
