/** Whom and what posts are about, looked up for a whole batch at once: their targets, and the wires that they reply to. */
import type { Role } from "../contract/fields.js";
import type { PostingRule, Space } from "../contract/shapes.js";
import type { BatchedRead } from "./engine.js";
import { PackedRows, PackedStatements } from "./packed-rows.js";
import { RowsOf } from "./sql.js";

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

export interface HandleTargetRow {
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

export const TO_HANDLES = new RowsOf({ i: "integer", sender: "integer", account: "integer", slug: "text" });

/** Takes the time from which on a knock can be pending, and `TO_HANDLES`. */
export const HANDLE_TARGETS = new PackedRows<HandleTargetRow>(
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

export function handleTarget(row: HandleTargetRow): HandleTarget {
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

export interface SpaceTargetRow {
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

export const TO_SPACES = new RowsOf({ i: "integer", sender: "integer", slug: "text" });

/** Takes `TO_SPACES`. */
export const SPACE_TARGETS = new PackedRows<SpaceTargetRow>(
  (engine) => `
  SELECT q.i, s.pk, s.id, s.visibility, s.posting_rights, s.root_rule, s.reply_rule, s.allow_wire_reply_rules,
    (SELECT m.role FROM members m WHERE m.space = s.pk AND m.handle = q.sender) AS role
  FROM ${TO_SPACES.asRead(engine, "q")} JOIN spaces s ON s.slug = q.slug`,
  "i, pk, id, visibility, posting_rights, root_rule, reply_rule, allow_wire_reply_rules, role",
);

const SPACES = new PackedStatements<[SpaceTargetRow]>([SPACE_TARGETS]);

/** Spaces by their slugs, each as a handle finds it; null where there is none. */
export const spaceTargets: BatchedRead<{ handle: number; slug: string }, SpaceTarget | null> = {
  async run(session, wanted) {
    const asked = TO_SPACES.bind(wanted.map(({ handle, slug }, i) => [i, handle, slug]));
    const found: (SpaceTarget | null)[] = wanted.map(() => null);
    for (const row of (await SPACES.all(session, [[asked]]))[0]) found[row.i] = spaceTarget(row);
    return found;
  },
};

export function spaceTarget(row: SpaceTargetRow): SpaceTarget {
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

export interface ParentRow {
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

export const REPLIES = new RowsOf({ i: "integer", sender: "integer", id: "text" });

/** Takes `REPLIES`. */
export const PARENTS = new PackedRows<ParentRow>(
  (engine) => `
  SELECT q.i, p.pk, p.id, p.sender, p.recipient, p.space, p.thread, t.id AS thread_id, p.reply_rule,
    CASE WHEN CASE WHEN p.space IS NULL THEN p.sender = q.sender OR p.recipient = q.sender
      ELSE EXISTS (SELECT 1 FROM spaces s WHERE s.pk = p.space AND s.visibility = 'public')
        OR EXISTS (SELECT 1 FROM members m WHERE m.space = p.space AND m.handle = q.sender)
      END THEN 1 ELSE 0 END AS visible
  FROM ${REPLIES.asRead(engine, "q")} JOIN wires p ON p.id = q.id JOIN wires t ON t.pk = p.thread`,
  "i, pk, id, sender, recipient, space, thread, thread_id, reply_rule, visible",
);

export function parentWire(row: ParentRow): ParentWire {
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

/** Rules by their JSON: a few texts are read with every post. With inline schemas of 32 KB each, they take 16 MB. */
const KEPT_RULES = 500;
const rules = new Map<string, PostingRule>();

function rule(json: string): PostingRule {
  const known = rules.get(json);
  if (known) return known;
  const parsed = JSON.parse(json) as PostingRule;
  if (rules.size >= KEPT_RULES) rules.delete(rules.keys().next().value!);
  rules.set(json, parsed);
  return parsed;
}
