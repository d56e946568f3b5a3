/**
 * The hot path of writing: what must be known to judge posts, and how accepted ones are stored, each for a whole batch
 * in one statement.
 */
import type { Role } from "../contract/fields.js";
import type { PostingRule, Space } from "../contract/shapes.js";
import { egressOfPosts, type StoredEgress } from "./egress.js";
import type { Session, Transaction } from "./engine.js";
import { indexText } from "./fulltext/index.js";
import { IDEMPOTENCY_LIFETIME } from "./idempotency.js";
import { KNOCK_LIFETIME } from "./knocks.js";
import { PackedRows } from "./packed-rows.js";
import { addUnsent, type SenderLog, sentLogs } from "./sender-log.js";

/** What a post names; everything else is looked up. */
export interface PostQuery {
  sender: { pk: number; account: number };
  /** `@slug` or `#slug`. */
  target: string;
  /** Exactly one is set. */
  toHandle: string | null;
  toSpace: string | null;
  /** Id of the wire replied to. */
  replyTo: string | null;
  idempotency: { caller: string; operation: string; key: string } | null;
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

export interface PostFacts {
  target: HandleTarget | SpaceTarget | null;
  parent: ParentWire | null;
  /** The sender's egress policy towards the target. */
  egress: StoredEgress;
  log: SenderLog;
  remembered: { request: string; response: string } | null;
}

type Cell = string | number | null;
/** The columns of `FACTS`. */
type FactsRow = Record<string, Cell>;

const FACTS = new PackedRows<FactsRow>(
  `
  SELECT q.key AS i,
    h.pk AS h_pk, h.id AS h_id, h.contact_policy, h.inbox_rule,
    h.account = q.value ->> 'account'
      OR EXISTS (SELECT 1 FROM contacts c WHERE c.handle = h.pk AND c.other = q.value ->> 'sender') AS is_contact,
    EXISTS (SELECT 1 FROM blocks b WHERE b.handle = h.pk AND b.other = q.value ->> 'sender') AS has_blocked,
    (SELECT max(seq) FROM inbox x WHERE x.handle = h.pk) AS inbox_head,
    (SELECT k.pk FROM knocks k WHERE k.sender = h.pk AND k.target = q.value ->> 'sender'
       AND k.status = 'pending' AND k.created_at > ?3 ORDER BY k.pk DESC LIMIT 1) AS pending_knock,
    s.pk AS s_pk, s.id AS s_id, s.visibility, s.posting_rights, s.root_rule, s.reply_rule AS space_reply_rule,
    s.allow_wire_reply_rules,
    (SELECT m.role FROM members m WHERE m.space = s.pk AND m.handle = q.value ->> 'sender') AS role,
    p.pk AS p_pk, p.id AS p_id, p.sender AS p_sender, p.recipient AS p_recipient, p.space AS p_space,
    p.thread AS p_thread, (SELECT t.id FROM wires t WHERE t.pk = p.thread) AS p_thread_id, p.reply_rule AS p_reply_rule,
    CASE WHEN p.space IS NULL THEN p.sender = q.value ->> 'sender' OR p.recipient = q.value ->> 'sender'
      ELSE EXISTS (SELECT 1 FROM spaces ps WHERE ps.pk = p.space AND ps.visibility = 'public')
        OR EXISTS (SELECT 1 FROM members pm WHERE pm.space = p.space AND pm.handle = q.value ->> 'sender')
      END AS p_visible,
    r.request, r.response
  FROM json_each(?1) q
  LEFT JOIN handles h ON h.slug = q.value ->> 'handle' AND h.retired_at IS NULL
  LEFT JOIN spaces s ON s.slug = q.value ->> 'space'
  LEFT JOIN wires p ON p.id = q.value ->> 'reply_to'
  LEFT JOIN idempotency r ON r.caller = q.value ->> 'caller' AND r.operation = q.value ->> 'operation'
    AND r.key = q.value ->> 'key' AND r.created_at > ?2`,
  `i, h_pk, h_id, contact_policy, inbox_rule, is_contact, has_blocked, inbox_head, pending_knock,
   s_pk, s_id, visibility, posting_rights, root_rule, space_reply_rule, allow_wire_reply_rules, role,
   p_pk, p_id, p_sender, p_recipient, p_space, p_thread, p_thread_id, p_reply_rule, p_visible, request, response`,
);

/** What is known of each post, in the posts' order. @param windows lengths of the limits' windows, in milliseconds */
export async function loadPostFacts(
  session: Session,
  posts: readonly PostQuery[],
  windows: readonly number[],
  at: number,
): Promise<PostFacts[]> {
  const queries = posts.map((post) => ({
    sender: post.sender.pk,
    account: post.sender.account,
    handle: post.toHandle,
    space: post.toSpace,
    reply_to: post.replyTo,
    ...post.idempotency,
  }));
  const [rows, logs] = await Promise.all([
    FACTS.all(session, [JSON.stringify(queries), at - IDEMPOTENCY_LIFETIME, at - KNOCK_LIFETIME]),
    sentLogs(session, [...new Set(posts.map((post) => post.sender.pk))], windows, at),
  ]);
  const ruled = posts.filter((post) => logs.get(post.sender.pk)!.hasPolicy);
  await addUnsent(session, logs, [...new Set(ruled.map((post) => post.sender.pk))], windows, at);
  const egress = await egressOfPosts(session, ruled);
  const facts: PostFacts[] = [];
  for (const row of rows) {
    const post = posts[row.i as number]!;
    facts[row.i as number] = {
      ...toFacts(row),
      egress: egress.get(post) ?? null,
      log: logs.get(post.sender.pk)!,
    };
  }
  return facts;
}

function toFacts(row: FactsRow): Omit<PostFacts, "log" | "egress"> {
  return {
    target: row.h_pk !== null ? handleTarget(row) : row.s_pk !== null ? spaceTarget(row) : null,
    parent: row.p_pk === null ? null : parentWire(row),
    remembered:
      row.request === null ? null : { request: row.request as string, response: row.response as string },
  };
}

const rule = (json: Cell | undefined) => JSON.parse(json as string) as PostingRule;

function handleTarget(row: FactsRow): HandleTarget {
  return {
    kind: "handle",
    pk: row.h_pk as number,
    id: row.h_id as string,
    contactPolicy: row.contact_policy as HandleTarget["contactPolicy"],
    inboxRule: rule(row.inbox_rule),
    isContact: row.is_contact === 1,
    hasBlocked: row.has_blocked === 1,
    inboxHead: (row.inbox_head as number | null) ?? 0,
    pendingKnock: row.pending_knock as number | null,
  };
}

function spaceTarget(row: FactsRow): SpaceTarget {
  return {
    kind: "space",
    pk: row.s_pk as number,
    id: row.s_id as string,
    visibility: row.visibility as SpaceTarget["visibility"],
    postingRights: row.posting_rights as SpaceTarget["postingRights"],
    rootRule: rule(row.root_rule),
    replyRule: rule(row.space_reply_rule),
    allowWireReplyRules: row.allow_wire_reply_rules === 1,
    role: row.role as Role | null,
  };
}

function parentWire(row: FactsRow): ParentWire {
  return {
    pk: row.p_pk as number,
    id: row.p_id as string,
    sender: row.p_sender as number,
    recipient: row.p_recipient as number | null,
    space: row.p_space as number | null,
    thread: row.p_thread as number,
    threadId: row.p_thread_id as string,
    replyRule: row.p_reply_rule === null ? null : rule(row.p_reply_rule),
    visible: row.p_visible === 1,
  };
}

/** A wire that is to be stored. */
export interface NewWire {
  id: string;
  sender: number;
  senderNo: number;
  recipient: number | null;
  space: number | null;
  /** pk of the thread's root; null where it is the root itself. */
  thread: number | null;
  replyTo: number | null;
  parentVotable: boolean | null;
  replyRule: PostingRule | null;
  /** When it was handed in: for one that was held that is before it was sent. */
  countedAt: number;
  /** The Wire as JSON, without vote_count. */
  doc: string;
  /** What full-text search finds it by. */
  searchText: string;
  /** Number in the recipient's inbox log. */
  inboxSeq: number | null;
}

const INSERT_WIRES = `
  INSERT INTO wires (pk, id, sender, sender_no, recipient, space, thread, reply_to, parent_votable, reply_rule, created_at, doc)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
    value ->> 8, value ->> 9, value ->> 10, value ->> 11 FROM json_each(?)`;

/** Stores wires, their index entries and their inbox items: three statements at most, however many wires. */
export async function insertWires(tx: Transaction, wires: readonly NewWire[]): Promise<void> {
  if (wires.length === 0) return;
  const head = await tx.get<{ pk: number | null }>("SELECT max(pk) AS pk FROM wires");
  const first = (head?.pk ?? 0) + 1;
  const rows = wires.map((w, n) => [
    first + n,
    w.id,
    w.sender,
    w.senderNo,
    w.recipient,
    w.space,
    w.thread ?? first + n,
    w.replyTo,
    w.parentVotable === null ? null : Number(w.parentVotable),
    w.replyRule && JSON.stringify(w.replyRule),
    w.countedAt,
    w.doc,
  ]);
  await tx.run(INSERT_WIRES, [JSON.stringify(rows)]);
  const indexed = wires.flatMap((w, n) =>
    w.space === null ? [] : [[first + n, indexText(String(w.space), w.searchText)]],
  );
  if (indexed.length > 0) {
    await tx.run("INSERT INTO wires_fts (rowid, terms) SELECT value ->> 0, value ->> 1 FROM json_each(?)", [
      JSON.stringify(indexed),
    ]);
  }
  const items = wires.flatMap((w, n) => (w.recipient === null ? [] : [[w.recipient, w.inboxSeq, first + n]]));
  if (items.length > 0) {
    await tx.run(
      "INSERT INTO inbox (handle, seq, kind, ref) SELECT value ->> 0, value ->> 1, 1, value ->> 2 FROM json_each(?)",
      [JSON.stringify(items)],
    );
  }
}
