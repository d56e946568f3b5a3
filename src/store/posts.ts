/** The hot path of writing: what must be known to judge posts, looked up for a whole batch at once. */
import { egressOfPosts, type StoredEgress } from "./egress.js";
import type { Session, Transaction } from "./engine.js";
import { IDEMPOTENCY_LIFETIME } from "./idempotency.js";
import { KNOCK_LIFETIME } from "./knocks.js";
import { PackedRows, PackedStatements } from "./packed-rows.js";
import {
  HANDLE_TARGETS,
  type HandleTarget,
  type HandleTargetRow,
  handleTarget,
  PARENTS,
  type ParentRow,
  type ParentWire,
  parentWire,
  REPLIES,
  SPACE_TARGETS,
  type SpaceTarget,
  type SpaceTargetRow,
  spaceTarget,
  TO_HANDLES,
  TO_SPACES,
} from "./post-parties.js";
import { LATEST, type LatestRow } from "./schemas.js";
import {
  addUnsent,
  SENT_WINDOWS,
  type SenderLog,
  toLogs,
  type WindowRow,
  windowsAsked,
} from "./sender-log.js";
import { type Cell, RowsOf, texts } from "./sql.js";
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
  /** Subjects of schemas whose latest versions its payload was validated under. */
  subjects: readonly string[];
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
  /** The latest versions of all subjects that the posts of the batch name. */
  latest: readonly LatestRow[];
}

const KEYED = new RowsOf({ i: "integer", caller: "text", operation: "text", key: "text" });

interface RememberedRow {
  i: number;
  request: string;
  response: string;
}

/** Takes `KEYED`, and the time from which on outcomes are remembered. */
const REMEMBERED = new PackedRows<RememberedRow>(
  (engine) => `
  SELECT q.i, r.request, r.response FROM ${KEYED.as(engine, "q")}
  JOIN idempotency r ON r.caller = q.caller AND r.operation = q.operation AND r.key = q.key AND r.created_at > ?`,
  "i, request, response",
);

/** Where there is one writer, what is free stays free until it takes it. */
const FREE_PK = new PackedRows<{ pk: number }>(
  () => "SELECT coalesce(max(pk), 0) + 1 AS pk FROM wires",
  "pk",
);

const SITUATIONS = new PackedStatements<
  [HandleTargetRow, SpaceTargetRow, ParentRow, RememberedRow, WindowRow, { pk: number }, LatestRow]
>([HANDLE_TARGETS, SPACE_TARGETS, PARENTS, REMEMBERED, SENT_WINDOWS, FREE_PK, LATEST]);

/**
 * Holds the senders, recipients and spaces of posts until the transaction ends. What is numbered (a sender's wires, an
 * inbox, a space's wires) is then numbered in the order of commits, and limits are exact, across daemons.
 */
export async function lockPosts(tx: Transaction, posts: readonly PostQuery[]): Promise<void> {
  // There is one writer.
  if (tx.engine === "sqlite") return;
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
  const toHandles = rowsOf(
    posts,
    ({ sender, toHandle }) => toHandle && [sender.pk, sender.account, toHandle],
  );
  const toSpaces = rowsOf(posts, ({ sender, toSpace }) => toSpace && [sender.pk, toSpace]);
  const replies = rowsOf(posts, ({ sender, replyTo }) => replyTo && [sender.pk, replyTo]);
  const keyed = rowsOf(posts, ({ idempotency: i }) => i && [i.caller, i.operation, i.key]);
  const senders = [...new Set(posts.map((post) => post.sender.pk))];
  const subjects = [...new Set(posts.flatMap((post) => post.subjects))];
  const [handles, spaces, parents, remembered, sent, free, latest] = await SITUATIONS.all(session, [
    toHandles && [at - KNOCK_LIFETIME, TO_HANDLES.bind(toHandles)],
    toSpaces && [TO_SPACES.bind(toSpaces)],
    replies && [REPLIES.bind(replies)],
    keyed && [KEYED.bind(keyed), at - IDEMPOTENCY_LIFETIME],
    windowsAsked(senders, windows, at),
    session.engine === "sqlite" ? [] : null,
    subjects.length > 0 ? [texts(subjects)] : null,
  ]);
  const logs = toLogs(sent);
  const ruled = posts.filter((post) => logs.get(post.sender.pk)!.hasPolicy);
  await addUnsent(session, logs, [...new Set(ruled.map((post) => post.sender.pk))], windows, at);
  const egress = await egressOfPosts(session, ruled);
  const freePk = free[0]?.pk ?? null;
  const facts = posts.map(
    (post): PostFacts => ({
      target: null,
      parent: null,
      egress: egress.get(post) ?? null,
      log: logs.get(post.sender.pk)!,
      remembered: null,
      freePk,
      latest,
    }),
  );
  for (const row of handles) facts[row.i]!.target = handleTarget(row);
  for (const row of spaces) facts[row.i]!.target = spaceTarget(row);
  for (const row of parents) facts[row.i]!.parent = parentWire(row);
  for (const { i, request, response } of remembered) facts[i]!.remembered = { request, response };
  return facts;
}

/** The cells of those posts that have any, with the post's index before them; null where none has. */
function rowsOf(
  posts: readonly PostQuery[],
  cells: (post: PostQuery) => Cell[] | null | "",
): Cell[][] | null {
  const rows: Cell[][] = [];
  for (const [i, post] of posts.entries()) {
    const found = cells(post);
    if (found) rows.push([i, ...found]);
  }
  return rows.length > 0 ? rows : null;
}
