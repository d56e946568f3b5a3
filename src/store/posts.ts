/** The hot path of writing: what must be known to judge posts, looked up for a whole batch at once. */
import type { Role } from "../contract/fields.js";
import type { PostingRule, Space } from "../contract/shapes.js";
import { egressOfPosts, type StoredEgress } from "./egress.js";
import type { Session, Transaction } from "./engine.js";
import { IDEMPOTENCY_LIFETIME } from "./idempotency.js";
import { KNOCK_LIFETIME } from "./knocks.js";
import { PackedRows, PackedStatements } from "./packed-rows.js";
import {
  addUnsent,
  SENT_WINDOWS,
  type SenderLog,
  toLogs,
  type WindowRow,
  windowsAsked,
} from "./sender-log.js";
import { RowsOf } from "./sql.js";
import { together } from "./together.js";

/** What a post names; everything else is looked up. */
export interface PostQuery {
  sender: { pk: number; slug: string; account: number };
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
  /** Number of the next wire; null where numbers have to be taken first. */
  freePk: number | null;
}

type Cell = string | number | null;
/** The columns of `FACTS`. */
type FactsRow = Record<string, Cell>;

const QUERIES = new RowsOf({
  i: "integer",
  sender: "integer",
  account: "integer",
  handle: "text",
  space: "text",
  reply_to: "text",
  caller: "text",
  operation: "text",
  key: "text",
});

/** Where there is one writer, what is free stays free until it takes it. */
const FREE_PK = { sqlite: "(SELECT coalesce(max(pk), 0) + 1 FROM wires)", postgres: "NULL::bigint" };

const FACTS = new PackedRows<FactsRow>(
  (engine) => `
  SELECT q.i,
    h.pk AS h_pk, h.id AS h_id, h.contact_policy, h.inbox_rule,
    h.account = q.account
      OR EXISTS (SELECT 1 FROM contacts c WHERE c.handle = h.pk AND c.other = q.sender) AS is_contact,
    EXISTS (SELECT 1 FROM blocks b WHERE b.handle = h.pk AND b.other = q.sender) AS has_blocked,
    (SELECT max(seq) FROM inbox x WHERE x.handle = h.pk) AS inbox_head,
    (SELECT k.pk FROM knocks k WHERE k.sender = h.pk AND k.target = q.sender
       AND k.status = 'pending' AND k.created_at > ? ORDER BY k.pk DESC LIMIT 1) AS pending_knock,
    s.pk AS s_pk, s.id AS s_id, s.visibility, s.posting_rights, s.root_rule, s.reply_rule AS space_reply_rule,
    s.allow_wire_reply_rules,
    (SELECT m.role FROM members m WHERE m.space = s.pk AND m.handle = q.sender) AS role,
    p.pk AS p_pk, p.id AS p_id, p.sender AS p_sender, p.recipient AS p_recipient, p.space AS p_space,
    p.thread AS p_thread, (SELECT t.id FROM wires t WHERE t.pk = p.thread) AS p_thread_id, p.reply_rule AS p_reply_rule,
    CASE WHEN p.space IS NULL THEN p.sender = q.sender OR p.recipient = q.sender
      ELSE EXISTS (SELECT 1 FROM spaces ps WHERE ps.pk = p.space AND ps.visibility = 'public')
        OR EXISTS (SELECT 1 FROM members pm WHERE pm.space = p.space AND pm.handle = q.sender)
      END AS p_visible,
    r.request, r.response, ${FREE_PK[engine]} AS free_pk
  FROM ${QUERIES.as(engine, "q")}
  LEFT JOIN handles h ON h.slug = q.handle AND h.retired_at IS NULL
  LEFT JOIN spaces s ON s.slug = q.space
  LEFT JOIN wires p ON p.id = q.reply_to
  LEFT JOIN idempotency r ON r.caller = q.caller AND r.operation = q.operation
    AND r.key = q.key AND r.created_at > ?`,
  `i, h_pk, h_id, contact_policy, inbox_rule, is_contact, has_blocked, inbox_head, pending_knock,
   s_pk, s_id, visibility, posting_rights, root_rule, space_reply_rule, allow_wire_reply_rules, role,
   p_pk, p_id, p_sender, p_recipient, p_space, p_thread, p_thread_id, p_reply_rule, p_visible, request, response, free_pk`,
);

const SITUATIONS = new PackedStatements<[FactsRow, WindowRow]>([FACTS, SENT_WINDOWS]);

/**
 * Holds the senders, recipients and spaces of posts until the transaction ends. What is numbered (a sender's wires, an
 * inbox, a space's wires) is then numbered in the order of commits, and limits are exact, across daemons.
 */
export async function lockPosts(tx: Transaction, posts: readonly PostQuery[]): Promise<void> {
  const slugs = posts.flatMap(({ sender, toHandle }) => [sender.slug, toHandle]).filter((s) => s !== null);
  const spaces = posts.flatMap(({ toSpace }) => toSpace ?? []);
  await together([tx.lock("handles", "slug", slugs), tx.lock("spaces", "slug", spaces)]);
}

/** What is known of each post, in the posts' order. @param windows lengths of the limits' windows, in milliseconds */
export async function loadPostFacts(
  session: Session,
  posts: readonly PostQuery[],
  windows: readonly number[],
  at: number,
): Promise<PostFacts[]> {
  const queries = posts.map((post, i) => [
    i,
    post.sender.pk,
    post.sender.account,
    post.toHandle,
    post.toSpace,
    post.replyTo,
    post.idempotency?.caller ?? null,
    post.idempotency?.operation ?? null,
    post.idempotency?.key ?? null,
  ]);
  const senders = [...new Set(posts.map((post) => post.sender.pk))];
  const [rows, sent] = await SITUATIONS.all(session, [
    [at - KNOCK_LIFETIME, QUERIES.bind(queries), at - IDEMPOTENCY_LIFETIME],
    windowsAsked(senders, windows, at),
  ]);
  const logs = toLogs(sent);
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
    freePk: row.free_pk as number | null,
  };
}

/** Rules by their JSON: a few texts are read with every post. With inline schemas of 32 KB each, they take 16 MB. */
const KEPT_RULES = 500;
const rules = new Map<string, PostingRule>();

function rule(json: Cell | undefined): PostingRule {
  const known = rules.get(json as string);
  if (known) return known;
  const parsed = JSON.parse(json as string) as PostingRule;
  if (rules.size >= KEPT_RULES) rules.delete(rules.keys().next().value!);
  rules.set(json as string, parsed);
  return parsed;
}

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
