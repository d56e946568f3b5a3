/**
 * Loads the data that decides whether posts are accepted: targets, parent wires, egress policies and schema
 * versions.
 */
import { LRUCache } from "lru-cache";
import type { Role } from "../../contract/fields.js";
import type { PostingRule, Space } from "../../contract/shapes.js";
import { type EgressFacts, egressFactsOfPosts } from "../accounts/egress.js";
import { LAST_DELETED_WIRE } from "../engine/deletion-marks.js";
import type { BatchedRead, Session } from "../engine/engine.js";
import { type Query, runSelects, Select } from "../engine/selects.js";
import { type Cell, RowsParameter, texts } from "../engine/sql.js";
import { KNOCK_LIFETIME_MS } from "../knocks.js";
import { hasBlocked } from "../relations.js";
import type { RetentionFloors } from "../retention/floors.js";
import { LATEST_VERSIONS, type LatestVersionRow } from "../schemas.js";

/** A post to check, with the names and ids to look up. */
export interface PostQuery {
  sender: { pk: number; slug: string; account: number };
  /** `@slug` or `#slug`. */
  target: string;
  /** Slug of the target handle, or slug of the target space. Exactly one of the two is set. */
  toHandle: string | null;
  toSpace: string | null;
  /** Id of the parent wire. */
  replyTo: string | null;
  /** Schema subjects, such as `@alice/quote`. The payload check needs their latest versions. */
  subjects: readonly string[];
}

/** The data that decides whether one post is accepted. */
export interface PostFacts {
  target: HandleTarget | SpaceTarget | null;
  parent: ParentWire | null;
  /** The egress policy of the sender for this target. */
  egress: EgressFacts;
}

/** The data that decides whether the posts of a batch are accepted. */
export interface BatchFacts {
  /** In the order of the posts. */
  posts: PostFacts[];
  /** Primary key of the next wire on SQLite. It is undefined on PostgreSQL, which uses a sequence. */
  nextPk: number | undefined;
  /** The latest versions of all schema subjects in `subjects` of the posts. */
  latest: readonly LatestVersionRow[];
}

export interface HandleTarget {
  kind: "handle";
  pk: number;
  id: string;
  contactPolicy: "open" | "contacts_only";
  inboxRule: PostingRule;
  /** Whether the sender is a contact of the target. Handles of the same account are always contacts. */
  isContact: boolean;
  hasBlocked: boolean;
  /** Sequence number of the last item in the inbox; 0 if it is empty. */
  inboxHead: number;
  /** A pending knock from the target to the sender; null if there is none. */
  pendingKnock: string | null;
}

export interface SpaceTarget {
  kind: "space";
  pk: number;
  id: string;
  visibility: Space["visibility"];
  postingRights: Space["posting_rights"];
  rootRule: PostingRule;
  replyRule: PostingRule;
  allowWireReplyRules: boolean;
  role: Role | null;
  /** Days after which wires of the space are hidden; null for none. */
  retainDays: number | null;
}

export interface ParentWire {
  pk: number;
  id: string;
  sender: number;
  recipient: number | null;
  space: number | null;
  thread: number;
  threadId: string;
  replyRule: PostingRule | null;
  /** Whether the sender of the reply may see the parent wire. */
  visible: boolean;
}

interface HandleTargetRow {
  i: number;
  pk: number;
  id: string;
  contact_policy: HandleTarget["contactPolicy"];
  inbox_rule: string;
  is_contact: number;
  has_blocked: number;
  inbox_head: number | null;
  pending_knock: string | null;
}

const TO_HANDLES = new RowsParameter({ i: "integer", sender: "integer", account: "integer", slug: "text" });

/**
 * Selects the handles that posts are sent to. Parameters: the creation time up to which pending knocks have
 * expired, and `TO_HANDLES`.
 */
const HANDLE_TARGETS = new Select<HandleTargetRow>(
  (engine) => `
  SELECT q.i, h.pk, h.id, h.contact_policy, h.inbox_rule,
    CASE WHEN h.account = q.account
      OR EXISTS (SELECT 1 FROM contacts c WHERE c.handle = h.pk AND c.other = q.sender) THEN 1 ELSE 0 END AS is_contact,
    CASE WHEN ${hasBlocked("h.pk", { pk: "q.sender", account: "q.account" })} THEN 1 ELSE 0 END AS has_blocked,
    (SELECT max(seq) FROM inbox x WHERE x.handle = h.pk) AS inbox_head,
    (SELECT k.id FROM knocks k WHERE k.sender = h.pk AND k.target = q.sender
       AND k.status = 'pending' AND k.created_at > ? ORDER BY k.pk DESC LIMIT 1) AS pending_knock
  FROM ${TO_HANDLES.materialisedTable(engine, "q")} JOIN handles h ON h.slug = q.slug AND h.retired_at IS NULL`,
  "i, pk, id, contact_policy, inbox_rule, is_contact, has_blocked, inbox_head, pending_knock",
);

function handleTarget(row: HandleTargetRow): HandleTarget {
  return {
    kind: "handle",
    pk: row.pk,
    id: row.id,
    contactPolicy: row.contact_policy,
    inboxRule: parseRule(row.inbox_rule),
    isContact: row.is_contact === 1,
    hasBlocked: row.has_blocked === 1,
    inboxHead: row.inbox_head ?? 0,
    pendingKnock: row.pending_knock,
  };
}

interface SpaceTargetRow {
  i: number;
  pk: number;
  id: string;
  visibility: SpaceTarget["visibility"];
  posting_rights: SpaceTarget["postingRights"];
  root_rule: string;
  reply_rule: string;
  allow_wire_reply_rules: number;
  role: Role | null;
  retain_days: number | null;
}

const TO_SPACES = new RowsParameter({ i: "integer", sender: "integer", slug: "text" });

/** Selects the spaces that posts are sent to. Parameter: `TO_SPACES`. */
const SPACE_TARGETS = new Select<SpaceTargetRow>(
  (engine) => `
  SELECT q.i, s.pk, s.id, s.visibility, s.posting_rights, s.root_rule, s.reply_rule, s.allow_wire_reply_rules, s.retain_days,
    (SELECT m.role FROM members m WHERE m.space = s.pk AND m.handle = q.sender) AS role
  FROM ${TO_SPACES.materialisedTable(engine, "q")} JOIN spaces s ON s.slug = q.slug`,
  "i, pk, id, visibility, posting_rights, root_rule, reply_rule, allow_wire_reply_rules, role, retain_days",
);

/**
 * Looks up spaces by their slug, with the role of a handle in each space. The result is null for an unknown
 * slug.
 */
export const spaceTargets: BatchedRead<{ handle: number; slug: string }, SpaceTarget | null> = {
  async run(session, wanted) {
    const requested = TO_SPACES.bind(wanted.map(({ handle, slug }, i) => [i, handle, slug]));
    const found: (SpaceTarget | null)[] = wanted.map(() => null);
    const { spaces } = await runSelects(session, { spaces: { select: SPACE_TARGETS, params: [requested] } });
    for (const row of spaces) found[row.i] = spaceTarget(row);
    return found;
  },
};

function spaceTarget(row: SpaceTargetRow): SpaceTarget {
  return {
    kind: "space",
    pk: row.pk,
    id: row.id,
    visibility: row.visibility,
    postingRights: row.posting_rights,
    rootRule: parseRule(row.root_rule),
    replyRule: parseRule(row.reply_rule),
    allowWireReplyRules: row.allow_wire_reply_rules === 1,
    role: row.role,
    retainDays: row.retain_days,
  };
}

interface ParentRow {
  i: number;
  pk: number;
  id: string;
  sender: number;
  recipient: number | null;
  space: number | null;
  thread: number;
  thread_id: string;
  reply_rule: string | null;
  retain_days: number | null;
  visible: number;
}

const REPLIES = new RowsParameter({ i: "integer", sender: "integer", id: "text" });

/** Selects the parent wires of replies. Parameter: `REPLIES`. */
const PARENTS = new Select<ParentRow>(
  (engine) => `
  SELECT q.i, p.pk, p.id, p.sender, p.recipient, p.space, p.thread, p.reply_rule,
    coalesce((SELECT t.id FROM wires t WHERE t.pk = p.thread), (SELECT t.id FROM thread_roots t WHERE t.thread = p.thread)) AS thread_id,
    (SELECT s.retain_days FROM spaces s WHERE s.pk = p.space) AS retain_days,
    CASE WHEN CASE WHEN p.space IS NULL THEN p.sender = q.sender OR p.recipient = q.sender
      ELSE EXISTS (SELECT 1 FROM spaces s WHERE s.pk = p.space AND s.visibility = 'public')
        OR EXISTS (SELECT 1 FROM members m WHERE m.space = p.space AND m.handle = q.sender)
      END THEN 1 ELSE 0 END AS visible
  FROM ${REPLIES.materialisedTable(engine, "q")} JOIN wires p ON p.id = q.id`,
  "i, pk, id, sender, recipient, space, thread, thread_id, reply_rule, retain_days, visible",
);

function parentWire(row: ParentRow): ParentWire {
  return {
    pk: row.pk,
    id: row.id,
    sender: row.sender,
    recipient: row.recipient,
    space: row.space,
    thread: row.thread,
    threadId: row.thread_id,
    replyRule: row.reply_rule === null ? null : parseRule(row.reply_rule),
    visible: row.visible === 1,
  };
}

/**
 * Caches parsed posting rules by their JSON. The cache takes 240 MB at most: 500 rules with inline schemas of
 * 32 KB, which take up to 437 KB when they are parsed.
 */
const parsedRules = new LRUCache<string, PostingRule>({ max: 500 });

function parseRule(json: string): PostingRule {
  let parsed = parsedRules.get(json);
  if (!parsed) {
    parsed = JSON.parse(json) as PostingRule;
    parsedRules.set(json, parsed);
  }
  return parsed;
}

/** The primary keys of deleted wires are not used again, because cursors contain them. */
const NEXT_PK = new Select<{ pk: number }>(
  () => `SELECT max((SELECT coalesce(max(pk), 0) FROM wires), ${LAST_DELETED_WIRE}) + 1 AS pk`,
  "pk",
);

interface PostRows {
  handles: HandleTargetRow[];
  spaces: SpaceTargetRow[];
  parents: ParentRow[];
  latest: LatestVersionRow[];
  nextPk: { pk: number }[];
}

/**
 * Returns the queries that {@link loadPostFacts} needs, so that the caller can combine them with others in
 * one round trip.
 */
export function postQueries(
  { engine }: Session,
  posts: readonly PostQuery[],
  at: number,
): { [Name in keyof PostRows]: Query<PostRows[Name][number]> | undefined } {
  const handles = cellsOf(posts, ({ sender, toHandle }) => toHandle && [sender.pk, sender.account, toHandle]);
  const spaces = cellsOf(posts, ({ sender, toSpace }) => toSpace && [sender.pk, toSpace]);
  const replies = cellsOf(posts, ({ sender, replyTo }) => replyTo && [sender.pk, replyTo]);
  const subjects = [...new Set(posts.flatMap((post) => post.subjects))];
  return {
    handles: handles && {
      select: HANDLE_TARGETS,
      params: [at - KNOCK_LIFETIME_MS, TO_HANDLES.bind(handles)],
    },
    spaces: spaces && { select: SPACE_TARGETS, params: [TO_SPACES.bind(spaces)] },
    parents: replies && { select: PARENTS, params: [REPLIES.bind(replies)] },
    // SQLite has a single writer, so no other transaction can use this primary key before the insert.
    nextPk: engine === "sqlite" ? { select: NEXT_PK, params: [] } : undefined,
    latest: subjects.length > 0 ? { select: LATEST_VERSIONS, params: [texts(subjects)] } : undefined,
  };
}

/**
 * Converts the rows of {@link postQueries}, and queries the egress policies of the senders that have one.
 * @param floors tells which parent wires are hidden
 * @param hasPolicy returns whether the sender of a post has an egress policy
 */
export async function loadPostFacts(
  session: Session,
  posts: readonly PostQuery[],
  rows: PostRows,
  floors: RetentionFloors,
  hasPolicy: (post: PostQuery) => boolean,
): Promise<BatchFacts> {
  const withPolicy = posts.filter(hasPolicy);
  const egress = withPolicy.length > 0 ? await egressFactsOfPosts(session, withPolicy) : undefined;
  const facts = posts.map(
    (post): PostFacts => ({ target: null, parent: null, egress: egress?.get(post) ?? null }),
  );
  for (const row of rows.handles) facts[row.i]!.target = handleTarget(row);
  for (const row of rows.spaces) facts[row.i]!.target = spaceTarget(row);
  for (const row of rows.parents) {
    if (await floors.hides({ pk: row.pk, retainDays: row.retain_days })) continue;
    facts[row.i]!.parent = parentWire(row);
  }
  return { posts: facts, nextPk: rows.nextPk[0]?.pk, latest: rows.latest };
}

/**
 * Returns a row for each post with cells: the index of the post, then its cells. Returns undefined if there
 * are no rows.
 */
function cellsOf(
  posts: readonly PostQuery[],
  cells: (post: PostQuery) => Cell[] | null | "",
): Cell[][] | undefined {
  const rows: Cell[][] = [];
  for (const [i, post] of posts.entries()) {
    const found = cells(post);
    if (found) rows.push([i, ...found]);
  }
  return rows.length > 0 ? rows : undefined;
}
