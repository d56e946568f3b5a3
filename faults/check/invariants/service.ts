/**
 * Invariants of the stored data that SQL can express, of accounts, approvals and the directory. To add one,
 * add an entry to a list, here or in `messages.ts`. `documents.ts` checks the stored JSON.
 */

import { KEY_DISPLAY_LENGTH } from "../../../src/kernel/ids.js";
import { LAST_DELETED_WIRE } from "../../../src/store/engine/meta.js";
import { type Invariant, invariant } from "./invariant.js";
import { INBOXES, WIRES } from "./messages.js";

const ACCOUNTS: readonly Invariant[] = [
  invariant(
    "slugs",
    "every slug is unique and in lower case",
    `SELECT '@' || h.slug AS example FROM handles h WHERE (h.slug <> lower(h.slug) OR EXISTS (SELECT 1 FROM handles o WHERE o.slug = h.slug AND o.pk <> h.pk))`,
    `SELECT '#' || s.slug AS example FROM spaces s WHERE (s.slug <> lower(s.slug) OR EXISTS (SELECT 1 FROM spaces o WHERE o.slug = s.slug AND o.pk <> s.pk))`,
  ),
  invariant(
    "settings",
    "the settings of every handle and space are known values",
    `SELECT '@' || h.slug AS example FROM handles h WHERE (h.contact_policy NOT IN ('open', 'contacts_only')
         OR h.discoverable NOT IN (0, 1) OR h.delivery_receipts NOT IN (0, 1))`,
    `SELECT '#' || s.slug AS example FROM spaces s WHERE (s.visibility NOT IN ('public', 'private')
         OR s.posting_rights NOT IN ('anyone', 'members', 'mods') OR s.allow_wire_reply_rules NOT IN (0, 1))`,
  ),
  invariant(
    "keys",
    "API keys are stored as SHA-256 only",
    `SELECT k.id AS example FROM api_keys k WHERE (length(k.hash) <> 43 OR length(k.prefix) <> ${KEY_DISPLAY_LENGTH} OR k.prefix NOT LIKE 'wr\\_%' ESCAPE '\\')`,
  ),
  invariant(
    "access-tokens",
    "access tokens are stored as SHA-256 only, and each stands for the handle of its connection",
    `SELECT concat('access token ', t.pk) AS example FROM access_tokens t LEFT JOIN connections c ON c.pk = t.connection
     WHERE (length(t.hash) <> 43 OR t.expires_at < t.created_at OR c.handle <> t.handle OR c.issued_at IS NULL <> (c.pk IS NULL))`,
  ),
  invariant(
    "passwords",
    "passwords are stored as hashes only, and e-mail addresses in lower case",
    `SELECT u.id AS example FROM identity_users u WHERE (u.password_hash NOT LIKE '$scrypt$%' OR u.email <> lower(u.email))`,
  ),
  invariant(
    "deleted-accounts",
    "a deleted account does not name its human, and has no handle that is not retired and no approval of what was not sent",
    `SELECT a.id AS example FROM accounts a WHERE a.deleted_at IS NOT NULL
       AND (a.email <> '' OR a.issuer <> '' OR a.subject <> a.id
         OR EXISTS (SELECT 1 FROM handles h WHERE h.account = a.pk AND h.retired_at IS NULL)
         OR EXISTS (SELECT 1 FROM approvals p WHERE p.account = a.pk AND p.doc IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.handle = p.handle)))`,
  ),
  invariant(
    "retired-handles",
    "a retired handle is no operator, and when its rows are erased, it has no valid key, connection, membership or contact",
    `SELECT '@' || h.slug AS example FROM handles h WHERE h.retired_at IS NOT NULL AND (h.operator_at IS NOT NULL
       OR NOT EXISTS (SELECT 1 FROM erasures e WHERE e.handle = h.pk) AND (EXISTS (SELECT 1 FROM api_keys k WHERE k.handle = h.pk AND k.revoked_at IS NULL)
       OR EXISTS (SELECT 1 FROM connections n WHERE n.handle = h.pk AND n.ended_at IS NULL)
       OR EXISTS (SELECT 1 FROM members m WHERE m.handle = h.pk)
       OR EXISTS (SELECT 1 FROM contacts c WHERE c.handle = h.pk)))`,
  ),
  invariant(
    "erasures",
    "only rows of retired handles are to be erased",
    "SELECT '@' || h.slug AS example FROM erasures e JOIN handles h ON h.pk = e.handle WHERE h.retired_at IS NULL",
  ),
  invariant(
    "audit",
    "an audit entry belongs to the account of its handle",
    "SELECT a.id AS example FROM audit a JOIN handles h ON h.pk = a.handle WHERE h.account <> a.account",
  ),
  invariant(
    "egress",
    "egress policies have a known mode and allow or forbid publishing, and their targets have a known list",

    `SELECT '@' || h.slug AS example FROM egress_policies e JOIN handles h ON h.pk = e.handle
       WHERE (e.mode NOT IN ('open', 'allowlist', 'approval') OR e.publish NOT IN (0, 1))`,
    `SELECT t.target AS example FROM egress_targets t WHERE (t.list NOT IN ('allow', 'deny') OR substr(t.target, 1, 1) NOT IN ('@', '#'))`,
  ),
];

const APPROVALS: readonly Invariant[] = [
  invariant(
    "approvals",
    "every approval has a known state, and the fields of that state",
    `SELECT a.id AS example FROM approvals a JOIN handles h ON h.pk = a.handle
     WHERE (a.account <> h.account OR a.kind NOT IN ('wire', 'knock')
       OR a.status NOT IN ('pending', 'approved', 'rejected', 'withdrawn')
       OR (a.status = 'pending') <> (a.decided_at IS NULL)
       OR (a.error IS NOT NULL AND a.status <> 'approved')
       OR (a.kind = 'knock' AND a.sender_no IS NOT NULL)
       OR (a.doc IS NULL AND (a.kind <> 'wire' OR a.status <> 'approved' OR a.error IS NOT NULL)))`,
  ),
  invariant(
    "released-wires",
    "an approved wire was sent exactly once, unless retention has deleted it, and its approval names no other; no other held wire was sent",
    `SELECT a.id AS example FROM approvals a LEFT JOIN wires w ON w.id = a.ref
     WHERE a.kind = 'wire' AND (
       (a.doc IS NULL) <> (a.status = 'approved' AND a.error IS NULL)
       OR (a.doc IS NULL) <> (a.sender_no IS NULL)
       OR (a.doc IS NULL AND w.pk IS NULL AND ${LAST_DELETED_WIRE} = 0)
       OR a.wire <> w.pk
       OR (a.doc IS NOT NULL AND (w.pk IS NOT NULL OR a.wire IS NOT NULL)))`,
  ),
  invariant(
    "knocks",
    "every knock has a known state, and a decided one the time of its decision",
    `SELECT k.id AS example FROM knocks k WHERE (k.status NOT IN ('pending', 'accepted', 'rejected', 'expired')
       OR (k.status IN ('accepted', 'rejected')) <> (k.decided_at IS NOT NULL))`,
  ),
  invariant(
    "contacts",
    "every contact is mutual, and no handle is its own contact",
    `SELECT '@' || h.slug AS example FROM contacts c JOIN handles h ON h.pk = c.handle
     WHERE (c.handle = c.other OR NOT EXISTS (SELECT 1 FROM contacts o WHERE o.handle = c.other AND o.other = c.handle))`,
  ),
  invariant(
    "blocks",
    "no handle blocks itself, and a block that holds for an account names one of its handles",
    `SELECT '@' || h.slug AS example FROM blocks b JOIN handles h ON h.pk = b.handle JOIN handles o ON o.pk = b.other
     WHERE (b.handle = b.other OR b.account <> o.account OR b.account = h.account)`,
  ),
];

const DIRECTORY: readonly Invariant[] = [
  invariant(
    "space-owners",
    "every space has one owner, who is the member with that role, or is closed: its owner is retired, and it has neither an owner nor a mod",
    `SELECT '#' || s.slug AS example FROM spaces s JOIN handles o ON o.pk = s.owner
     WHERE NOT (s.posting_rights = 'mods' AND o.retired_at IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM members m WHERE m.space = s.pk AND m.role IN ('owner', 'mod')))
       AND ((SELECT count(*) FROM members m WHERE m.space = s.pk AND m.role = 'owner') <> 1
       OR NOT EXISTS (SELECT 1 FROM members m WHERE m.space = s.pk AND m.handle = s.owner AND m.role = 'owner'))`,
  ),
  invariant(
    "members",
    "every member has a known role",
    `SELECT '#' || s.slug || ' @' || h.slug AS example FROM members m JOIN spaces s ON s.pk = m.space JOIN handles h ON h.pk = m.handle
     WHERE m.role NOT IN ('owner', 'mod', 'poster', 'reader')`,
  ),
  invariant(
    "departures",
    "a handle that left a space is not a member of it",
    `SELECT '#' || s.slug || ' @' || h.slug AS example FROM departures d JOIN spaces s ON s.pk = d.space JOIN handles h ON h.pk = d.handle
     WHERE EXISTS (SELECT 1 FROM members m WHERE m.space = d.space AND m.handle = d.handle)`,
  ),
  invariant(
    "schema-versions",
    "the versions of each schema are numbered from 1 without gaps",
    `SELECT c.subject AS example FROM schemas c WHERE c.version <> 1
       AND (c.version < 1 OR NOT EXISTS (SELECT 1 FROM schemas p WHERE p.subject = c.subject AND p.version = c.version - 1))`,
  ),
  invariant(
    "switchboard",
    "the switchboard lists exactly the discoverable handles, the public spaces and the latest schemas",

    `SELECT h.slug AS example FROM handles h WHERE h.discoverable = 1
           AND NOT EXISTS (SELECT 1 FROM entities e WHERE e.kind = 'handle' AND e.name = h.slug AND e.target = h.pk)`,
    `SELECT s.slug AS example FROM spaces s WHERE s.visibility = 'public'
           AND NOT EXISTS (SELECT 1 FROM entities e WHERE e.kind = 'space' AND e.name = s.slug AND e.target = s.pk)`,
    `SELECT c.subject AS example FROM schemas c WHERE NOT EXISTS (SELECT 1 FROM schemas o WHERE o.subject = c.subject AND o.pk > c.pk)
           AND NOT EXISTS (SELECT 1 FROM entities e WHERE e.kind = 'schema' AND e.name = c.subject AND e.target = c.pk)`,
    `SELECT e.name AS example FROM entities e WHERE CASE e.kind
           WHEN 'handle' THEN EXISTS (SELECT 1 FROM handles h WHERE h.slug = e.name AND h.pk = e.target
             AND (h.discoverable = 1 OR EXISTS (SELECT 1 FROM erasures x WHERE x.handle = h.pk)))
           WHEN 'space' THEN EXISTS (SELECT 1 FROM spaces s WHERE s.slug = e.name AND s.pk = e.target AND s.visibility = 'public')
           WHEN 'schema' THEN EXISTS (SELECT 1 FROM schemas c WHERE c.subject = e.name AND c.pk = e.target)
           ELSE false END IS NOT TRUE`,
  ),
  invariant(
    "switchboard-index",
    "the search index of the switchboard holds exactly its entries",
    `SELECT e.name AS example FROM entities e WHERE NOT EXISTS (SELECT 1 FROM entities_fts f WHERE f.rowid = e.pk)`,
    `SELECT concat('row ', f.rowid) AS example FROM entities_fts f WHERE NOT EXISTS (SELECT 1 FROM entities e WHERE e.pk = f.rowid)`,
  ),
];

export const INVARIANTS: readonly Invariant[] = [
  ...ACCOUNTS,
  ...INBOXES,
  ...WIRES,
  ...APPROVALS,
  ...DIRECTORY,
];
