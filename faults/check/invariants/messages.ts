/** The invariants of inboxes and wires. */

import { DELETED_UNTIL, LAST_DELETED_MESSAGE, LAST_DELETED_WIRE } from "../../../src/store/engine/meta.js";
import { INBOX_KIND, NOTICE as OF } from "../../../src/store/inbox/notices.js";
import { hasWire } from "../../../src/store/wires/threads.js";
import { type Invariant, invariant } from "./invariant.js";

const { wire: WIRE, knock: KNOCK, notice: NOTICE } = INBOX_KIND;

/** The wire or knock that item `x` of an inbox follows: the nearest earlier item of the same kind. */
const EARLIER = `(SELECT p.ref FROM inbox p WHERE p.handle = x.handle AND p.seq < x.seq AND p.kind = x.kind ORDER BY p.seq DESC LIMIT 1)`;

export const INBOXES: readonly Invariant[] = [
  invariant(
    "inbox-order",
    "the wires and the knocks of each inbox are in the order in which they were stored",
    `SELECT '@' || h.slug || ' ' || x.seq AS example FROM inbox x JOIN handles h ON h.pk = x.handle
     WHERE x.kind IN (${WIRE}, ${KNOCK}) AND x.ref <= ${EARLIER}`,
  ),
  invariant(
    "inbox-items",
    "every inbox item is a wire or knock to the handle, the notice of a removed wire of a decision, or of another handle's wire in a space, unless retention has deleted the wire",
    `SELECT '@' || h.slug || ' ' || x.seq AS example FROM inbox x JOIN handles h ON h.pk = x.handle
     WHERE CASE x.kind WHEN ${WIRE} THEN x.ref <= ${LAST_DELETED_MESSAGE} OR EXISTS (SELECT 1 FROM wires w WHERE w.pk = x.ref AND w.recipient = x.handle)
       WHEN ${KNOCK} THEN EXISTS (SELECT 1 FROM knocks k WHERE k.pk = x.ref AND k.target = x.handle)
       WHEN ${NOTICE} THEN (x.notice = ${OF.approval} AND NOT EXISTS (SELECT 1 FROM approvals a WHERE a.pk = -x.ref AND (a.handle <> x.handle OR a.status = 'pending')))
         OR (x.notice IN (${OF.mention}, ${OF.reply}) AND NOT EXISTS (SELECT 1 FROM wires w WHERE w.pk = -x.ref AND (w.space IS NULL OR w.sender = x.handle)))
         OR EXISTS (SELECT 1 FROM wires w WHERE w.pk = x.ref AND w.removed_at IS NOT NULL)
         OR (x.ref <= ${LAST_DELETED_WIRE} AND NOT EXISTS (SELECT 1 FROM wires w WHERE w.pk = x.ref)) ELSE false END IS NOT TRUE`,
  ),
  invariant(
    "deliveries",
    "every direct message and every knock is in its recipient's inbox exactly once",
    `SELECT w.id AS example FROM wires w WHERE w.recipient IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM (SELECT handle, ref FROM inbox WHERE kind = ${WIRE}) i WHERE i.handle = w.recipient AND i.ref = w.pk)
         UNION ALL SELECT k.id FROM knocks k
           WHERE NOT EXISTS (SELECT 1 FROM (SELECT handle, ref FROM inbox WHERE kind = ${KNOCK}) i WHERE i.handle = k.target AND i.ref = k.pk)
         UNION ALL SELECT concat('@', h.slug, ' ', count(*), ' times ', i.ref) FROM inbox i JOIN handles h ON h.pk = i.handle
           WHERE i.kind <> ${NOTICE} OR i.notice IS NOT NULL GROUP BY h.slug, i.kind, i.notice, i.ref HAVING count(*) > 1`,
  ),
  invariant(
    "receipts",
    "every delivery receipt is of a wire that the checkpoint of its inbox has passed",
    `SELECT concat('handle ', r.handle, ' wire ', r.wire) AS example FROM receipts r
     WHERE r.wire > coalesce((SELECT i.ref FROM inbox i WHERE i.handle = r.handle AND i.kind = ${WIRE}
       AND i.seq <= (SELECT c.seq FROM checkpoints c WHERE c.handle = r.handle) ORDER BY i.seq DESC LIMIT 1), 0)`,
  ),
];

/**
 * Returns SQL for the number of the sender's last wire before row `n`: of those in `wires`, or of the
 * numbered held ones in `approvals`.
 */
const earlierNumber = (table: "wires" | "approvals", sender: string) =>
  `(SELECT p.sender_no FROM ${table} p WHERE p.${table === "wires" ? "sender" : "handle"} = ${sender}
      ${table === "approvals" ? "AND p.sender_no IS NOT NULL" : ""} AND (p.created_at, p.sender_no) < (n.created_at, n.sender_no)
    ORDER BY p.created_at DESC, p.sender_no DESC LIMIT 1)`;

/**
 * Returns SQL that is true if row `n` has a number below 1, or one that is not above the number of an earlier
 * row of the same sender.
 */
const isMisnumbered = (sender: string) =>
  `(n.sender_no < 1 OR n.sender_no <= ${earlierNumber("wires", sender)} OR n.sender_no <= ${earlierNumber("approvals", sender)})`;

export const WIRES: readonly Invariant[] = [
  invariant(
    "wire-places",
    "every wire is either in a space or to a handle",
    "SELECT w.id AS example FROM wires w WHERE (w.space IS NULL) = (w.recipient IS NULL)",
  ),
  invariant(
    "wire-numbers",
    "the wires of each sender are numbered from 1 without gaps, or from the first one that retention has left, unless its account was deleted with held ones; rate limits count each once",
    // The invariant `wire-times` states that all numbers differ, so there is no gap if their range equals
    // their count. The sum finds most repeated numbers.
    `SELECT '@' || h.slug AS example FROM handles h JOIN accounts o ON o.pk = h.account
     WHERE o.deleted_at IS NULL AND (SELECT max(numbered.n) - min(numbered.n) + 1 <> count(*)
       OR 2 * sum(numbered.n) <> count(*) * (min(numbered.n) + max(numbered.n)) OR (min(numbered.n) <> 1 AND ${DELETED_UNTIL} = 0) FROM (
       SELECT w.sender_no AS n FROM wires w WHERE w.sender = h.pk AND w.created_at > ${DELETED_UNTIL}
       UNION ALL SELECT a.sender_no FROM approvals a
         WHERE a.handle = h.pk AND a.sender_no IS NOT NULL AND a.created_at > ${DELETED_UNTIL}) numbered)`,
  ),
  invariant(
    "wire-times",
    "the numbers of each sender's wires increase with their times",
    `SELECT '@' || h.slug || ' ' || n.sender_no AS example FROM wires n JOIN handles h ON h.pk = n.sender
       WHERE (${isMisnumbered("n.sender")} OR EXISTS (SELECT 1 FROM wires o
         WHERE o.sender = n.sender AND o.created_at = n.created_at AND o.sender_no = n.sender_no AND o.pk <> n.pk))`,
    `SELECT '@' || h.slug || ' ' || n.sender_no AS example FROM approvals n JOIN handles h ON h.pk = n.handle
       WHERE n.sender_no IS NOT NULL AND (${isMisnumbered("n.handle")} OR EXISTS (SELECT 1 FROM wires o
         WHERE o.sender = n.handle AND o.created_at = n.created_at AND o.sender_no = n.sender_no))`,
  ),
  invariant(
    "threads",
    "every wire belongs to the thread of the wire that it replies to, or starts its own, and only retention deletes the others of a thread",
    `SELECT w.id AS example FROM wires w LEFT JOIN wires p ON p.pk = w.reply_to LEFT JOIN wires t ON t.pk = w.thread
     WHERE ((t.pk IS NULL AND NOT EXISTS (SELECT 1 FROM thread_roots r WHERE r.thread = w.thread AND r.thread <= ${LAST_DELETED_WIRE})) OR t.reply_to IS NOT NULL OR t.thread <> t.pk
       OR CASE WHEN w.reply_to IS NULL THEN w.thread <> w.pk ELSE (p.pk IS NULL AND w.reply_to > ${LAST_DELETED_WIRE}) OR p.thread <> w.thread OR w.reply_to >= w.pk END)`,
  ),
  invariant(
    "thread-roots",
    "the id of a deleted first wire of a thread is kept while a wire of the thread is left",
    `SELECT t.id AS example FROM thread_roots t WHERE (EXISTS (SELECT 1 FROM wires w WHERE w.pk = t.thread)
       OR NOT ${hasWire("t.thread")})`,
  ),
  invariant(
    "thread-places",
    "a thread is in one space, or consists of direct messages",
    "SELECT w.id AS example FROM wires w JOIN wires t ON t.pk = w.thread WHERE w.space IS DISTINCT FROM t.space",
  ),
  invariant(
    "votes",
    "every vote is on a wire in a space",
    `SELECT concat('handle ', v.handle, ' wire ', v.wire) AS example FROM votes v
     WHERE NOT EXISTS (SELECT 1 FROM wires w WHERE w.pk = v.wire AND w.recipient IS NULL)`,
  ),
  invariant(
    "removals",
    "every removed wire states who removed it and when",
    `SELECT w.id AS example FROM wires w WHERE ((w.removed_at IS NULL) <> (w.removed_by IS NULL)
       OR w.removed_by NOT IN ('sender', 'mod', 'operator'))`,
  ),
  invariant(
    "search-index",
    "the search index holds no removed wire, and all others of spaces",
    `SELECT w.id AS example FROM wires w WHERE w.removed_at IS NULL AND w.space IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM wires_fts f WHERE f.rowid = w.pk)`,
    `SELECT concat('row ', f.rowid) AS example FROM wires_fts f
       WHERE NOT EXISTS (SELECT 1 FROM wires w WHERE w.pk = f.rowid AND w.removed_at IS NULL)`,
  ),
];
