/**
 * The invariants of the stored data that SQL can express. To add one, add an entry to a list. `documents.ts` checks the
 * stored JSON.
 */
import { KEY_DISPLAY_LENGTH } from "../../kernel/ids.js";
import { INBOX_KIND } from "../inbox/inbox.js";
import { type Invariant, invariant, sqliteInvariant } from "./invariant.js";

/** The pages of the file, and what the engine guarantees. */
const FILE: readonly Invariant[] = [
  sqliteInvariant(
    "file",
    "every page, index and full-text index of the file is intact",
    "SELECT integrity_check AS example FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
  ),
  sqliteInvariant(
    "references",
    "every reference names an existing row",
    `SELECT concat("table", ' ', coalesce(rowid, '?'), ' to ', parent) AS example FROM pragma_foreign_key_check`,
  ),
];

const ACCOUNTS: readonly Invariant[] = [
  invariant(
    "slugs",
    "every slug is unique and in lower case",
    `SELECT '@' || slug AS example FROM handles GROUP BY slug HAVING count(*) > 1 OR slug <> lower(slug)
     UNION ALL SELECT '#' || slug FROM spaces GROUP BY slug HAVING count(*) > 1 OR slug <> lower(slug)`,
  ),
  invariant(
    "keys",
    "API keys are stored as SHA-256 only",
    `SELECT id AS example FROM api_keys
     WHERE length(hash) <> 43 OR length(prefix) <> ${KEY_DISPLAY_LENGTH} OR prefix NOT LIKE 'wr\\_%' ESCAPE '\\'`,
  ),
  invariant(
    "access-tokens",
    "access tokens are stored as SHA-256 only, and each stands for the handle of its connection",
    `SELECT concat('access token ', t.pk) AS example FROM access_tokens t LEFT JOIN connections c ON c.pk = t.connection
     WHERE length(t.hash) <> 43 OR t.expires_at < t.created_at OR c.handle <> t.handle OR c.issued_at IS NULL <> (c.pk IS NULL)`,
  ),
  invariant(
    "passwords",
    "passwords are stored as hashes only, and e-mail addresses in lower case",
    `SELECT id AS example FROM identity_users WHERE password_hash NOT LIKE '$scrypt$%' OR email <> lower(email)`,
  ),
  invariant(
    "retired-handles",
    "a retired handle has no valid key, connection, membership or contact, and is no operator",
    `SELECT '@' || h.slug AS example FROM handles h WHERE h.retired_at IS NOT NULL AND (h.operator_at IS NOT NULL
       OR EXISTS (SELECT 1 FROM api_keys k WHERE k.handle = h.pk AND k.revoked_at IS NULL)
       OR EXISTS (SELECT 1 FROM connections n WHERE n.handle = h.pk AND n.ended_at IS NULL)
       OR EXISTS (SELECT 1 FROM members m WHERE m.handle = h.pk)
       OR EXISTS (SELECT 1 FROM contacts c WHERE c.handle = h.pk))`,
  ),
  invariant(
    "audit",
    "an audit entry belongs to the account of its handle",
    "SELECT a.id AS example FROM audit a JOIN handles h ON h.pk = a.handle WHERE h.account <> a.account",
  ),
  invariant(
    "egress",
    "egress policies have a known mode, and their targets a known list",
    `SELECT '@' || h.slug AS example FROM egress_policies e JOIN handles h ON h.pk = e.handle
     WHERE e.mode NOT IN ('open', 'allowlist', 'approval')
     UNION ALL SELECT target FROM egress_targets WHERE list NOT IN ('allow', 'deny') OR substr(target, 1, 1) NOT IN ('@', '#')`,
  ),
];

const INBOXES: readonly Invariant[] = [
  invariant(
    "inbox-numbers",
    "the items of each inbox are numbered from 1 without gaps",
    `SELECT '@' || h.slug AS example FROM handles h
     JOIN (SELECT handle, min(seq) AS first, max(seq) AS last, count(*) AS n FROM inbox GROUP BY handle) i ON i.handle = h.pk
     WHERE i.first <> 1 OR i.last <> i.n`,
  ),
  invariant(
    "inbox-order",
    "the wires of each inbox are in the order in which they were stored",
    `SELECT '@' || h.slug || ' ' || x.seq AS example FROM (
       SELECT handle, seq, ref, lag(ref) OVER (PARTITION BY handle ORDER BY seq) AS earlier FROM inbox WHERE kind = ${INBOX_KIND.wire}
     ) x JOIN handles h ON h.pk = x.handle WHERE x.ref <= x.earlier`,
  ),
  invariant(
    "inbox-items",
    "every inbox item is a wire or knock to the handle, or the notice of a removed wire",
    `SELECT '@' || h.slug || ' ' || i.seq AS example FROM inbox i JOIN handles h ON h.pk = i.handle
     LEFT JOIN wires w ON w.pk = i.ref AND i.kind <> ${INBOX_KIND.knock}
     LEFT JOIN knocks k ON k.pk = i.ref AND i.kind = ${INBOX_KIND.knock}
     WHERE CASE i.kind WHEN ${INBOX_KIND.wire} THEN w.recipient = i.handle WHEN ${INBOX_KIND.knock} THEN k.target = i.handle
       WHEN ${INBOX_KIND.notice} THEN w.removed_at IS NOT NULL ELSE false END IS NOT TRUE`,
  ),
  invariant(
    "deliveries",
    "every direct message and every knock is in its recipient's inbox exactly once",
    `SELECT w.id AS example FROM wires w LEFT JOIN (
       SELECT handle, ref, count(*) AS n FROM inbox WHERE kind = ${INBOX_KIND.wire} GROUP BY handle, ref
     ) i ON i.handle = w.recipient AND i.ref = w.pk WHERE w.recipient IS NOT NULL AND coalesce(i.n, 0) <> 1
     UNION ALL SELECT k.id FROM knocks k LEFT JOIN (
       SELECT handle, ref, count(*) AS n FROM inbox WHERE kind = ${INBOX_KIND.knock} GROUP BY handle, ref
     ) i ON i.handle = k.target AND i.ref = k.pk WHERE coalesce(i.n, 0) <> 1`,
  ),
  invariant(
    "checkpoints",
    "every checkpoint is a number of its inbox",
    `SELECT '@' || h.slug AS example FROM checkpoints c JOIN handles h ON h.pk = c.handle
     WHERE c.seq < 0 OR c.seq > (SELECT coalesce(max(seq), 0) FROM inbox i WHERE i.handle = c.handle)`,
  ),
  invariant(
    "receipts",
    "every delivery receipt is of a wire that the checkpoint of its inbox has passed",
    `SELECT concat('handle ', r.handle, ' wire ', r.wire) AS example FROM receipts r LEFT JOIN (
       SELECT i.handle, max(i.ref) AS wire FROM inbox i JOIN checkpoints c ON c.handle = i.handle AND i.seq <= c.seq
       WHERE i.kind = ${INBOX_KIND.wire} GROUP BY i.handle
     ) last ON last.handle = r.handle WHERE r.wire > coalesce(last.wire, 0)`,
  ),
];

/** All wires that a sender has numbered: sent ones, and those that were held and not sent. */
const NUMBERED = `(SELECT sender, sender_no, created_at FROM wires
  UNION ALL SELECT handle, sender_no, created_at FROM approvals WHERE sender_no IS NOT NULL) numbered`;

const WIRES: readonly Invariant[] = [
  invariant(
    "wire-places",
    "every wire is either in a space or to a handle",
    "SELECT id AS example FROM wires WHERE (space IS NULL) = (recipient IS NULL)",
  ),
  invariant(
    "wire-numbers",
    "the wires of each sender are numbered from 1 without gaps, and rate limits count each once",
    `SELECT '@' || h.slug AS example FROM handles h JOIN (
       SELECT sender, min(sender_no) AS first, max(sender_no) AS last, count(*) AS n, count(DISTINCT sender_no) AS numbers
       FROM ${NUMBERED} GROUP BY sender
     ) s ON s.sender = h.pk WHERE s.first <> 1 OR s.last <> s.n OR s.numbers <> s.n`,
  ),
  invariant(
    "wire-times",
    "the times of each sender's wires never decrease",
    `SELECT '@' || h.slug || ' ' || s.sender_no AS example FROM (
       SELECT sender, sender_no, created_at, lag(created_at) OVER (PARTITION BY sender ORDER BY sender_no) AS earlier FROM ${NUMBERED}
     ) s JOIN handles h ON h.pk = s.sender WHERE s.created_at < s.earlier`,
  ),
  invariant(
    "threads",
    "every wire belongs to the thread of the wire that it replies to, or starts its own",
    `SELECT w.id AS example FROM wires w LEFT JOIN wires p ON p.pk = w.reply_to LEFT JOIN wires t ON t.pk = w.thread
     WHERE t.pk IS NULL OR t.reply_to IS NOT NULL OR t.thread <> t.pk
       OR CASE WHEN w.reply_to IS NULL THEN w.thread <> w.pk ELSE p.pk IS NULL OR p.thread <> w.thread OR p.pk >= w.pk END`,
  ),
  invariant(
    "vote-counts",
    "the vote count of every wire is the number of its votes",
    `SELECT w.id AS example FROM wires w LEFT JOIN (SELECT wire, count(*) AS n FROM votes GROUP BY wire) v ON v.wire = w.pk
     WHERE w.vote_count <> coalesce(v.n, 0)`,
  ),
  invariant(
    "removals",
    "every removed wire states who removed it and when",
    `SELECT id AS example FROM wires WHERE (removed_at IS NULL) <> (removed_by IS NULL)
       OR removed_by NOT IN ('sender', 'mod', 'operator')`,
  ),
  invariant(
    "search-index",
    "the search index holds exactly the wires of spaces that were not removed",
    `SELECT w.id AS example FROM wires w LEFT JOIN wires_fts f ON f.rowid = w.pk
     WHERE w.space IS NOT NULL AND w.removed_at IS NULL AND f.rowid IS NULL
     UNION ALL SELECT concat('row ', f.rowid) FROM wires_fts f LEFT JOIN wires w ON w.pk = f.rowid
     WHERE w.pk IS NULL OR w.space IS NULL OR w.removed_at IS NOT NULL`,
  ),
];

const APPROVALS: readonly Invariant[] = [
  invariant(
    "approvals",
    "every approval has a known state, and the fields of that state",
    `SELECT a.id AS example FROM approvals a JOIN handles h ON h.pk = a.handle
     WHERE a.account <> h.account OR a.kind NOT IN ('wire', 'knock')
       OR a.status NOT IN ('pending', 'approved', 'rejected', 'withdrawn')
       OR (a.status = 'pending') <> (a.decided_at IS NULL)
       OR (a.error IS NOT NULL AND a.status <> 'approved')
       OR (a.kind = 'knock' AND a.sender_no IS NOT NULL)
       OR (a.doc IS NULL AND (a.kind <> 'wire' OR a.status <> 'approved' OR a.error IS NOT NULL))`,
  ),
  invariant(
    "released-wires",
    "an approved wire was sent exactly once, and no other held wire was sent",
    `SELECT a.id AS example FROM approvals a LEFT JOIN wires w ON w.id = a.ref
     WHERE a.kind = 'wire' AND ((a.doc IS NULL) <> (w.pk IS NOT NULL) OR (a.doc IS NULL) <> (a.sender_no IS NULL)
       OR (a.doc IS NULL) <> (a.status = 'approved' AND a.error IS NULL))`,
  ),
  invariant(
    "knocks",
    "every knock has a known state, and a decided one the time of its decision",
    `SELECT id AS example FROM knocks WHERE status NOT IN ('pending', 'accepted', 'rejected', 'expired')
       OR (status IN ('accepted', 'rejected')) <> (decided_at IS NOT NULL)`,
  ),
  invariant(
    "contacts",
    "every contact is mutual, and no handle is its own contact",
    `SELECT '@' || h.slug AS example FROM contacts c JOIN handles h ON h.pk = c.handle
     LEFT JOIN contacts o ON o.handle = c.other AND o.other = c.handle WHERE o.handle IS NULL OR c.handle = c.other`,
  ),
];

const DIRECTORY: readonly Invariant[] = [
  invariant(
    "space-owners",
    "every space has one owner, who is the member with that role",
    `SELECT '#' || s.slug AS example FROM spaces s LEFT JOIN (
       SELECT space, count(*) AS n, min(handle) AS handle FROM members WHERE role = 'owner' GROUP BY space
     ) m ON m.space = s.pk WHERE coalesce(m.n, 0) <> 1 OR m.handle <> s.owner`,
  ),
  invariant(
    "members",
    "every member has a known role",
    `SELECT '#' || s.slug || ' @' || h.slug AS example FROM members m JOIN spaces s ON s.pk = m.space JOIN handles h ON h.pk = m.handle
     WHERE m.role NOT IN ('owner', 'mod', 'poster', 'reader')`,
  ),
  invariant(
    "schema-versions",
    "the versions of each schema are numbered from 1 without gaps",
    `SELECT subject AS example FROM schemas GROUP BY subject
     HAVING min(version) <> 1 OR max(version) <> count(*) OR count(DISTINCT version) <> count(*)`,
  ),
  invariant(
    "switchboard",
    "the switchboard lists exactly the discoverable handles, the public spaces and the latest schemas",
    `SELECT listed.name AS example FROM (
       SELECT 'handle' AS kind, slug AS name, pk AS target FROM handles WHERE discoverable = 1
       UNION ALL SELECT 'space', slug, pk FROM spaces WHERE visibility = 'public'
       UNION ALL SELECT 'schema', subject, max(pk) FROM schemas GROUP BY subject
     ) listed LEFT JOIN entities e ON e.kind = listed.kind AND e.name = listed.name AND e.target = listed.target WHERE e.pk IS NULL
     UNION ALL SELECT e.name FROM entities e
     LEFT JOIN handles h ON e.kind = 'handle' AND h.slug = e.name AND h.pk = e.target AND h.discoverable = 1
     LEFT JOIN spaces s ON e.kind = 'space' AND s.slug = e.name AND s.pk = e.target AND s.visibility = 'public'
     LEFT JOIN schemas c ON e.kind = 'schema' AND c.subject = e.name AND c.pk = e.target
     WHERE h.pk IS NULL AND s.pk IS NULL AND c.pk IS NULL`,
  ),
  invariant(
    "switchboard-index",
    "the search index of the switchboard holds exactly its entries",
    `SELECT e.name AS example FROM entities e LEFT JOIN entities_fts f ON f.rowid = e.pk WHERE f.rowid IS NULL
     UNION ALL SELECT concat('row ', f.rowid) FROM entities_fts f LEFT JOIN entities e ON e.pk = f.rowid WHERE e.pk IS NULL`,
  ),
  invariant(
    "cursor-secret",
    "the database has the secret that signs cursors",
    `SELECT 'missing' AS example WHERE NOT EXISTS (SELECT 1 FROM meta WHERE name = 'cursor_secret' AND length(value) = 64)`,
  ),
];

export const INVARIANTS: readonly Invariant[] = [
  ...FILE,
  ...ACCOUNTS,
  ...INBOXES,
  ...WIRES,
  ...APPROVALS,
  ...DIRECTORY,
];
