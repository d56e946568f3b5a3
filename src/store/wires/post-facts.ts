/** The facts that posts rest on, looked up for a whole batch at once: targets, parents, egress policies, schema versions. */
import { LRUCache } from "lru-cache";
import type { Role } from "../../contract/fields.js";
import type { PostingRule, Space } from "../../contract/shapes.js";
import { egressOfPosts, type StoredEgress } from "../accounts/egress.js";
import type { BatchedRead, Session } from "../engine/engine.js";
import { type Cell, type Query, RowsOf, Select, select, texts } from "../engine/sql.js";
import { KNOCK_LIFETIME } from "../knocks.js";
import { LATEST, type LatestRow } from "../schemas.js";

/** What a post names. */
export interface PostQuery {
  sender: { pk: number; slug: string; account: number };
  /** `@slug` or `#slug`. */
  target: string;
  /** Exactly one is set. */
  toHandle: string | null;
  toSpace: string | null;
  /** Id of the wire replied to. */
  replyTo: string | null;
  /** Subjects of the schemas whose latest versions its payload was validated under. */
  subjects: readonly string[];
}

/** What is known of the things that a post names. */
export interface PostFacts {
  target: HandleTarget | SpaceTarget | null;
  parent: ParentWire | null;
  /** The sender's egress policy towards the target. */
  egress: StoredEgress;
}

/** What is known for all posts of a batch. */
export interface BatchFacts {
  /** In the posts' order. */
  posts: PostFacts[];
  /** The number of the next wire; on PostgreSQL numbers have to be taken first. */
  nextPk: number | undefined;
  /** The latest versions of all subjects that posts name. */
  latest: readonly LatestRow[];
}

export interface HandleTarget {
  kind: "handle";
  pk: number;
  id: string;
  contactPolicy: "open" | "contacts_only";
  inboxRule: PostingRule;
  /** Whether the sender is a contact of it; handles of one account always are. */
  isContact: boolean;
  hasBlocked: boolean;
  /** Last number of its inbox log. */
  inboxHead: number;
  /** A knock of the target's that waits for the sender's answer. */
  pendingKnock: number | null;
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
  /** Whether the sender of the reply can see it. */
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
  pending_knock: number | null;
}

const TO_HANDLES = new RowsOf({ i: "integer", sender: "integer", account: "integer", slug: "text" });

/** Takes the time from which on a knock can be pending, and `TO_HANDLES`. */
const HANDLE_TARGETS = new Select<HandleTargetRow>(
  (engine) => `
  SELECT q.i, h.pk, h.id, h.contact_policy, h.inbox_rule,
    CASE WHEN h.account = q.account
      OR EXISTS (SELECT 1 FROM contacts c WHERE c.handle = h.pk AND c.other = q.sender) THEN 1 ELSE 0 END AS is_contact,
    CASE WHEN EXISTS (SELECT 1 FROM blocks b WHERE b.handle = h.pk AND b.other = q.sender) THEN 1 ELSE 0 END AS has_blocked,
    (SELECT max(seq) FROM inbox x WHERE x.handle = h.pk) AS inbox_head,
    (SELECT k.pk FROM knocks k WHERE k.sender = h.pk AND k.target = q.sender
       AND k.status = 'pending' AND k.created_at > ? ORDER BY k.pk DESC LIMIT 1) AS pending_knock
  FROM ${TO_HANDLES.asRead(engine, "q")} JOIN handles h ON h.slug = q.slug AND h.retired_at IS NULL`,
  "i, pk, id, contact_policy, inbox_rule, is_contact, has_blocked, inbox_head, pending_knock",
);

function handleTarget(row: HandleTargetRow): HandleTarget {
  return {
    kind: "handle",
    pk: row.pk,
    id: row.id,
    contactPolicy: row.contact_policy,
    inboxRule: rule(row.inbox_rule),
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
}

const TO_SPACES = new RowsOf({ i: "integer", sender: "integer", slug: "text" });

/** Takes `TO_SPACES`. */
const SPACE_TARGETS = new Select<SpaceTargetRow>(
  (engine) => `
  SELECT q.i, s.pk, s.id, s.visibility, s.posting_rights, s.root_rule, s.reply_rule, s.allow_wire_reply_rules,
    (SELECT m.role FROM members m WHERE m.space = s.pk AND m.handle = q.sender) AS role
  FROM ${TO_SPACES.asRead(engine, "q")} JOIN spaces s ON s.slug = q.slug`,
  "i, pk, id, visibility, posting_rights, root_rule, reply_rule, allow_wire_reply_rules, role",
);

/** Spaces by their slugs, each as a handle finds it; null where there is none. */
export const spaceTargets: BatchedRead<{ handle: number; slug: string }, SpaceTarget | null> = {
  async run(session, wanted) {
    const asked = TO_SPACES.bind(wanted.map(({ handle, slug }, i) => [i, handle, slug]));
    const found: (SpaceTarget | null)[] = wanted.map(() => null);
    const { spaces } = await select(session, { spaces: { select: SPACE_TARGETS, params: [asked] } });
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
    rootRule: rule(row.root_rule),
    replyRule: rule(row.reply_rule),
    allowWireReplyRules: row.allow_wire_reply_rules === 1,
    role: row.role,
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
  visible: number;
}

const REPLIES = new RowsOf({ i: "integer", sender: "integer", id: "text" });

/** Takes `REPLIES`. */
const PARENTS = new Select<ParentRow>(
  (engine) => `
  SELECT q.i, p.pk, p.id, p.sender, p.recipient, p.space, p.thread, t.id AS thread_id, p.reply_rule,
    CASE WHEN CASE WHEN p.space IS NULL THEN p.sender = q.sender OR p.recipient = q.sender
      ELSE EXISTS (SELECT 1 FROM spaces s WHERE s.pk = p.space AND s.visibility = 'public')
        OR EXISTS (SELECT 1 FROM members m WHERE m.space = p.space AND m.handle = q.sender)
      END THEN 1 ELSE 0 END AS visible
  FROM ${REPLIES.asRead(engine, "q")} JOIN wires p ON p.id = q.id JOIN wires t ON t.pk = p.thread`,
  "i, pk, id, sender, recipient, space, thread, thread_id, reply_rule, visible",
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
    replyRule: row.reply_rule === null ? null : rule(row.reply_rule),
    visible: row.visible === 1,
  };
}

/** Posting rules by their JSON, as most posts are governed by one of a few. With inline schemas of 32 KB each: 16 MB. */
const rules = new LRUCache<string, PostingRule>({ max: 500 });

function rule(json: string): PostingRule {
  let rule = rules.get(json);
  if (!rule) {
    rule = JSON.parse(json) as PostingRule;
    rules.set(json, rule);
  }
  return rule;
}

const NEXT_PK = new Select<{ pk: number }>(() => "SELECT coalesce(max(pk), 0) + 1 AS pk FROM wires", "pk");

interface PostRows {
  handles: HandleTargetRow[];
  spaces: SpaceTargetRow[];
  parents: ParentRow[];
  latest: LatestRow[];
  nextPk: { pk: number }[];
}

/** The queries of {@link postFacts}, for a round trip with others. */
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
    handles: handles && { select: HANDLE_TARGETS, params: [at - KNOCK_LIFETIME, TO_HANDLES.bind(handles)] },
    spaces: spaces && { select: SPACE_TARGETS, params: [TO_SPACES.bind(spaces)] },
    parents: replies && { select: PARENTS, params: [REPLIES.bind(replies)] },
    // With one writer, the number stays free until it is taken.
    nextPk: engine === "sqlite" ? { select: NEXT_PK, params: [] } : undefined,
    latest: subjects.length > 0 ? { select: LATEST, params: [texts(subjects)] } : undefined,
  };
}

/**
 * What posts rest on.
 * @param rows of {@link postQueries}
 * @param hasPolicy which posts are of a sender that has an egress policy
 */
export async function postFacts(
  session: Session,
  posts: readonly PostQuery[],
  rows: PostRows,
  hasPolicy: (post: PostQuery) => boolean,
): Promise<BatchFacts> {
  const ruled = posts.filter(hasPolicy);
  const egress = ruled.length > 0 ? await egressOfPosts(session, ruled) : undefined;
  const facts = posts.map(
    (post): PostFacts => ({ target: null, parent: null, egress: egress?.get(post) ?? null }),
  );
  for (const row of rows.handles) facts[row.i]!.target = handleTarget(row);
  for (const row of rows.spaces) facts[row.i]!.target = spaceTarget(row);
  for (const row of rows.parents) facts[row.i]!.parent = parentWire(row);
  return { posts: facts, nextPk: rows.nextPk[0]?.pk, latest: rows.latest };
}

/** The cells of those posts that have any, with the post's index before them; undefined where none has. */
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
