/**
 * Loads all facts that decide whether posts are accepted, such as targets, contacts, blocks, parent wires and
 * egress policies, in one round trip.
 */
import { LRUCache } from "lru-cache";
import type { PostingRule } from "../../contract/shapes.js";
import type { HandleTarget, ParentWire, Post, PostingFacts, SpaceTarget } from "../../domain/posting.js";
import { egressFactsOfPosts } from "../accounts/egress.js";
import type { BatchedRead, SqlValue } from "../engine/engine.js";
import { inOneRoundTrip, RoundTrip, Select } from "../engine/selects.js";
import { type BoundRows, type Cell, RowsParameter, sql } from "../engine/sql.js";
import { KNOCK_LIFETIME_MS } from "../knocks.js";
import { type SenderLog, senderLogs } from "../limits/usage.js";
import { hasBlocked } from "../relations.js";
import type { RetentionFloors } from "../retention/floors.js";
import { latestVersions } from "../schemas.js";
import { CLAIM_COLUMNS, type StoredClaim } from "../wires/claims.js";
import { docHead, hopsIn } from "../wires/wire-json.js";
import { notifiedHandles } from "./notified.js";

export interface StoredFacts extends PostingFacts {
  /** The claim of the parent. Loaded only if the post names one. */
  claim: StoredClaim | null;
  log: SenderLog;
  /** The latest version of each subject, such as `@alice/quote@2` for `@alice/quote`. */
  versions: ReadonlyMap<string, string>;
}

const NO_VERSIONS: ReadonlyMap<string, string> = new Map();

/** @param floors the retention floors, which determine whether a parent wire is hidden */
export async function loadPostFacts(
  trip: RoundTrip,
  posts: readonly Post[],
  floors: RetentionFloors,
  at: number,
): Promise<StoredFacts[]> {
  const subjects = [...new Set(posts.flatMap((post) => post.subjects))];
  const [handles, spaces, parents, claims, notified, egress, logs, versions] = await inOneRoundTrip([
    handleTargets(trip, posts, at),
    selectFor(
      trip,
      SPACE_TARGETS,
      TO_SPACES,
      posts,
      ({ sender, toSpace }) => toSpace && [sender.pk, toSpace],
    ),
    selectFor(trip, PARENTS, REPLIES, posts, ({ sender, replyTo }) => replyTo && [sender.pk, replyTo]),
    selectFor(trip, CLAIMS, REPLIES, posts, ({ sender, replyTo, claim }) => claim && [sender.pk, replyTo]),
    notifiedHandles(trip, posts),
    egressFactsOfPosts(trip, posts),
    senderLogs(
      trip,
      posts.map(({ sender }) => sender),
      at,
    ),
    subjects.length === 0 ? NO_VERSIONS : latestVersions(trip, subjects),
  ]);
  const facts = posts.map(
    (_, i): StoredFacts => ({
      target: null,
      parent: null,
      claim: null,
      notified: notified[i]!,
      egress: egress[i]!,
      log: logs[i]!,
      versions,
    }),
  );
  for (const row of handles) facts[row.i]!.target = handleTarget(row);
  for (const row of spaces) facts[row.i]!.target = spaceTarget(row);
  for (const { i, ...claim } of claims) facts[i]!.claim = claim;
  for (const row of parents) {
    if (await floors.hides(row)) continue;
    facts[row.i]!.parent = parentWire(row);
  }
  return facts;
}

/** A database row has 0 or 1 for a boolean, and JSON for a posting rule. */
type Row<Facts> = { i: number } & {
  [Name in keyof Omit<Facts, "kind">]: Facts[Name] extends boolean
    ? number
    : Facts[Name] extends PostingRule | null
      ? string | Extract<Facts[Name], null>
      : Facts[Name];
};

const TO_HANDLES = new RowsParameter({ i: "integer", sender: "integer", account: "integer", slug: "text" });

/** The first parameter is a time: pending knocks from before it have expired. The second is `TO_HANDLES`. */
const HANDLE_TARGETS = new Select<Row<HandleTarget>>(
  sql`
  SELECT q.i, h.pk, h.id, h.contact_policy AS "contactPolicy", h.inbox_rule AS "inboxRule",
    CASE WHEN h.pk = q.sender THEN 'self' WHEN h.account = q.account THEN 'same_account'
      WHEN EXISTS (SELECT 1 FROM contacts c WHERE c.handle = h.pk AND c.other = q.sender) THEN 'contact' ELSE 'stranger' END AS relation,
    CASE WHEN ${hasBlocked("h.pk", { pk: "q.sender", account: "q.account" })} THEN 1 ELSE 0 END AS "hasBlocked",
    CASE WHEN h.delivery_receipts = 1 AND NOT ${hasBlocked("q.sender", { pk: "h.pk", account: "h.account" })} THEN 1 ELSE 0 END AS "showsPull",
    (SELECT c.pulled_at FROM checkpoints c WHERE c.handle = h.pk) AS "pulledAt",
    (SELECT coalesce(max(seq), 0) FROM inbox x WHERE x.handle = h.pk) AS "inboxHead",
    (SELECT k.id FROM knocks k WHERE k.sender = h.pk AND k.target = q.sender
       AND k.status = 'pending' AND k.created_at > ? ORDER BY k.pk DESC LIMIT 1) AS "pendingKnock"
  FROM ${TO_HANDLES.materialisedTable("q")} JOIN handles h ON h.slug = q.slug AND h.retired_at IS NULL`,
  "i, pk, id, contactPolicy, inboxRule, relation, hasBlocked, showsPull, pulledAt, inboxHead, pendingKnock",
);

function handleTargets(trip: RoundTrip, posts: readonly Post[], at: number): Promise<Row<HandleTarget>[]> {
  return selectFor(
    trip,
    HANDLE_TARGETS,
    TO_HANDLES,
    posts,
    ({ sender, toHandle }) => toHandle && [sender.pk, sender.account.pk, toHandle],
    [at - KNOCK_LIFETIME_MS],
  );
}

function handleTarget(row: Row<HandleTarget>): HandleTarget {
  return {
    ...row,
    kind: "handle",
    inboxRule: parseRule(row.inboxRule),
    hasBlocked: row.hasBlocked === 1,
    showsPull: row.showsPull === 1,
  };
}

const TO_SPACES = new RowsParameter({ i: "integer", sender: "integer", slug: "text" });

/** Parameter: `TO_SPACES`. */
const SPACE_TARGETS = new Select<Row<SpaceTarget>>(
  sql`
  SELECT q.i, s.pk, s.id, s.visibility, s.posting_rights AS "postingRights", s.root_rule AS "rootRule",
    s.reply_rule AS "replyRule", s.allow_wire_reply_rules AS "allowWireReplyRules", s.retain_days AS "retainDays",
    (SELECT m.role FROM members m WHERE m.space = s.pk AND m.handle = q.sender) AS role
  FROM ${TO_SPACES.materialisedTable("q")} JOIN spaces s ON s.slug = q.slug`,
  "i, pk, id, visibility, postingRights, rootRule, replyRule, allowWireReplyRules, role, retainDays",
);

interface WantedSpace {
  handle: number;
  slug: string;
}

/** Returns null for an unknown slug. */
export async function findSpaces(
  trip: RoundTrip,
  wanted: readonly WantedSpace[],
): Promise<(SpaceTarget | null)[]> {
  const requested = TO_SPACES.bind(wanted.map(({ handle, slug }, i) => [i, handle, slug]));
  const found: (SpaceTarget | null)[] = wanted.map(() => null);
  for (const row of await trip.select(SPACE_TARGETS, [requested])) found[row.i] = spaceTarget(row);
  return found;
}

export const spaceTargets: BatchedRead<WantedSpace, SpaceTarget | null> = {
  run: (session, wanted) => findSpaces(new RoundTrip(session), wanted),
};

function spaceTarget(row: Row<SpaceTarget>): SpaceTarget {
  return {
    ...row,
    kind: "space",
    rootRule: parseRule(row.rootRule),
    replyRule: parseRule(row.replyRule),
    allowWireReplyRules: row.allowWireReplyRules === 1,
  };
}

const REPLIES = new RowsParameter({ i: "integer", sender: "integer", id: "text" });

/** Parameter: `REPLIES`. */
const PARENTS = new Select<Row<Omit<ParentWire, "hops">> & { head: string; retainDays: number | null }>(
  sql`
  SELECT q.i, p.pk, p.id, p.sender, p.recipient, p.space, p.thread, p.reply_rule AS "replyRule", ${docHead("p.doc")} AS head,
    coalesce((SELECT t.id FROM wires t WHERE t.pk = p.thread), (SELECT t.id FROM thread_roots t WHERE t.thread = p.thread)) AS "threadId",
    (SELECT s.retain_days FROM spaces s WHERE s.pk = p.space) AS "retainDays",
    CASE WHEN CASE WHEN p.space IS NULL THEN p.sender = q.sender OR p.recipient = q.sender
      ELSE EXISTS (SELECT 1 FROM spaces s WHERE s.pk = p.space AND s.visibility = 'public')
        OR EXISTS (SELECT 1 FROM members m WHERE m.space = p.space AND m.handle = q.sender)
      END THEN 1 ELSE 0 END AS visible
  FROM ${REPLIES.materialisedTable("q")} JOIN wires p ON p.id = q.id`,
  "i, pk, id, sender, recipient, space, thread, threadId, replyRule, head, retainDays, visible",
);

function parentWire({ head, ...row }: Row<Omit<ParentWire, "hops">> & { head: string }): ParentWire {
  const replyRule = row.replyRule === null ? null : parseRule(row.replyRule);
  return { ...row, replyRule, hops: hopsIn(head), visible: row.visible === 1 };
}

/** Parameter: `REPLIES`. */
const CLAIMS = new Select<StoredClaim & { i: number }>(
  sql`SELECT q.i, ${CLAIM_COLUMNS} FROM ${REPLIES.table("q")} JOIN wires p ON p.id = q.id
    JOIN claims c ON c.wire = p.pk JOIN handles h ON h.pk = c.holder`,
  "i, attempt, holder, by, until, done",
);

/**
 * The size is limited, because a rule with a large inline schema takes much more memory parsed than as JSON.
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

/**
 * Runs a SELECT for the posts for which `cellsOf` returns cells. Its last parameter contains these posts'
 * indexes and cells.
 */
async function selectFor<Row>(
  trip: RoundTrip,
  select: Select<Row>,
  parameter: { bind(rows: readonly Cell[][]): BoundRows },
  posts: readonly Post[],
  cellsOf: (post: Post) => Cell[] | null | "",
  params: readonly SqlValue[] = [],
): Promise<Row[]> {
  const rows: Cell[][] = [];
  for (const [i, post] of posts.entries()) {
    const cells = cellsOf(post);
    if (cells) rows.push([i, ...cells]);
  }
  return rows.length === 0 ? [] : trip.select(select, [...params, parameter.bind(rows)]);
}
