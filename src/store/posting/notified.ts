/**
 * Loads and locks the handles that posts to spaces may notify. The locks are necessary, because each handle's
 * inbox numbers its notices.
 */

import type { Post } from "../../domain/posting.js";
import type { NotifiedHandle } from "../../domain/space-notices.js";
import type { Transaction } from "../engine/engine.js";
import { type RoundTrip, Select } from "../engine/selects.js";
import { RowsParameter, sql, TEXTS, texts } from "../engine/sql.js";

/** Exactly one of `slug` and `parent` is null. */
const NOTIFIED = new RowsParameter({
  i: "integer",
  sender: "integer",
  account: "integer",
  space: "text",
  slug: "text",
  parent: "text",
});

interface NotifiedRow
  extends Omit<NotifiedHandle, "reason" | "canRead" | "isMember" | "isContact" | "isBlocked"> {
  i: number;
  isMention: number;
  canRead: number;
  isMember: number;
  isContact: number;
  isBlocked: number;
}

const accountHasBlocked = (account: string, other: string) =>
  `EXISTS (SELECT 1 FROM handles o JOIN blocks b ON b.handle = o.pk AND b.account = ${other} WHERE o.account = ${account})`;

/** Parameter: `NOTIFIED`. */
const NOTIFIED_HANDLES = new Select<NotifiedRow>(
  sql`
  SELECT q.i, h.pk, h.slug, h.contact_policy AS "contactPolicy", h.space_notices AS setting,
    CASE WHEN q.slug IS NULL THEN 0 ELSE 1 END AS "isMention",
    CASE WHEN s.visibility = 'public' OR m.handle IS NOT NULL THEN 1 ELSE 0 END AS "canRead",
    CASE WHEN m.handle IS NULL THEN 0 ELSE 1 END AS "isMember",
    CASE WHEN h.account = q.account OR EXISTS (SELECT 1 FROM contacts c WHERE c.handle = h.pk AND c.other = q.sender) THEN 1 ELSE 0 END AS "isContact",
    CASE WHEN EXISTS (SELECT 1 FROM blocks b WHERE b.handle = h.pk AND b.other = q.sender)
      OR EXISTS (SELECT 1 FROM blocks b WHERE b.handle = q.sender AND b.other = h.pk)
      OR ${accountHasBlocked("h.account", "q.account")} OR ${accountHasBlocked("q.account", "h.account")} THEN 1 ELSE 0 END AS "isBlocked",
    (SELECT coalesce(max(seq), 0) FROM inbox x WHERE x.handle = h.pk) AS "inboxHead"
  FROM ${NOTIFIED.materialisedTable("q")} JOIN spaces s ON s.slug = q.space
  JOIN handles h ON h.pk = CASE WHEN q.slug IS NULL THEN (SELECT w.sender FROM wires w WHERE w.id = q.parent)
    ELSE (SELECT n.pk FROM handles n WHERE n.slug = q.slug) END AND h.retired_at IS NULL
  LEFT JOIN members m ON m.space = s.pk AND m.handle = h.pk`,
  "i, pk, slug, contactPolicy, setting, isMention, canRead, isMember, isContact, isBlocked, inboxHead",
);

/** Returns the handles that each post may notify. Omits handles that do not exist. */
export async function notifiedHandles(trip: RoundTrip, posts: readonly Post[]): Promise<NotifiedHandle[][]> {
  const notified = posts.map((): NotifiedHandle[] => []);
  const rows = posts.flatMap(({ sender, toSpace, mentions, replyTo }, i) => {
    if (toSpace === null) return [];
    const post = [i, sender.pk, sender.account.pk, toSpace];
    const mentioned = mentions.map((slug) => [...post, slug, null]);
    return replyTo === null ? mentioned : [...mentioned, [...post, null, replyTo]];
  });
  if (rows.length === 0) return notified;
  for (const row of await trip.select(NOTIFIED_HANDLES, [NOTIFIED.bind(rows)])) {
    const { i, isMention, canRead, isMember, isContact, isBlocked, ...handle } = row;
    notified[i]!.push({
      ...handle,
      reason: isMention === 1 ? "mention" : "reply",
      canRead: canRead === 1,
      isMember: isMember === 1,
      isContact: isContact === 1,
      isBlocked: isBlocked === 1,
    });
  }
  return notified;
}

const LOCK = `SELECT 1 FROM handles WHERE pk IN (
    SELECT h.pk FROM handles h WHERE h.slug IN (SELECT value FROM ${TEXTS.table("slugs").postgres})
    UNION SELECT w.sender FROM wires w WHERE w.id IN (SELECT value FROM ${TEXTS.table("parents").postgres}))
  ORDER BY pk FOR NO KEY UPDATE`;

/**
 * Locks handles, and the senders of the wires `parents`. Uses one statement, because two could deadlock.
 * @param parents ids of wires
 */
export async function lockHandlesAndSenders(
  tx: Transaction,
  slugs: readonly string[],
  parents: readonly string[],
): Promise<void> {
  if (tx.engine === "sqlite") return;
  if (parents.length === 0) return tx.lock("handles", "slug", slugs);
  await tx.all(LOCK, [texts(slugs), texts(parents)]);
}
