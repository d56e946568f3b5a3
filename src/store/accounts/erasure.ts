/**
 * Erases rows of retired handles that no other handle needs: keys, connections, memberships, contacts, the
 * handle's own blocks, its switchboard entry, and items that wait for an answer. A handle may have any number
 * of these rows, so they are erased in small steps after the handle is retired. The transaction that retires
 * a handle adds it to the queue `erasures`. The handle leaves the queue when all these rows are erased. A
 * retired handle never gets new ones.
 */
import { APPROVAL_LIFETIME_MS } from "../approvals/approvals.js";
import type { Session, SqlValue, Transaction } from "../engine/engine.js";
import { storeMark } from "../engine/meta.js";
import { type Cell, numberedIntegers, perEngine, RowsParameter, type Sql } from "../engine/sql.js";
import { endClaimsWithoutRight } from "../wires/claims.js";
import { deletionOfGrants } from "./credentials.js";
import { ofHandles } from "./handles.js";

export interface Erasure {
  find(session: Session, handles: readonly number[], limit: number): Promise<Cell[][]>;
  erase(tx: Transaction, rows: readonly Cell[][]): Promise<void>;
}

interface Kind {
  /** The columns that identify a row. */
  key: readonly string[];
  type?: "integer" | "text";
  /** Returns a SELECT of the rows' keys. `handles` is SQL for the handles' primary keys. */
  find(handles: string): string;
  /** Statements that erase rows. `rows` returns SQL for the rows' keys. */
  erase: readonly ((rows: (columns?: string) => string) => string)[];
}

function erasure({ key, type = "integer", find, erase }: Kind): Erasure {
  const keys = new RowsParameter(Object.fromEntries(key.map((column) => [column, type])));
  const select = ofHandles((handles) => `${find(handles)} LIMIT ?`);
  const statements = erase.map((build) =>
    perEngine(keys.table("q"), (table) =>
      build((columns = key.join(", ")) => `(SELECT ${columns} FROM ${table})`),
    ),
  );
  return {
    async find(session, handles, limit) {
      const rows = await session.all<Record<string, Cell>>(select, [numberedIntegers(handles), limit]);
      return rows.map((row) => key.map((column) => row[column]!));
    },
    async erase(tx, rows) {
      for (const sql of statements) await tx.run(sql, [keys.bind(rows)]);
    },
  };
}

const RETIRED_AT = (table: string) => `(SELECT h.retired_at FROM handles h WHERE h.pk = ${table}.handle)`;
const IS_DELETED = "(SELECT a.deleted_at FROM accounts a WHERE a.pk = h.account) IS NOT NULL";

const unsentApprovals = erasure({
  key: ["pk"],
  find: (handles) =>
    `SELECT p.pk FROM approvals p JOIN handles h ON h.pk = p.handle WHERE p.handle IN ${handles} AND p.doc IS NOT NULL AND ${IS_DELETED}`,
  erase: [(rows) => `DELETE FROM approvals WHERE pk IN ${rows()}`],
});

/** Erasures run in this order. Knocks come before contacts, because accepting a knock adds a contact. */
export const ERASURES: readonly Erasure[] = [
  erasure({
    key: ["pk"],
    find: (handles) =>
      `SELECT pk FROM api_keys WHERE handle IN ${handles} AND (revoked_at IS NULL OR name IS NOT NULL)`,
    erase: [
      (rows) =>
        `UPDATE api_keys SET name = NULL, revoked_at = coalesce(revoked_at, ${RETIRED_AT("api_keys")}) WHERE pk IN ${rows()}`,
    ],
  }),
  erasure({
    key: ["pk"],
    find: (handles) => `SELECT pk FROM connections WHERE handle IN ${handles} AND ended_at IS NULL`,
    erase: [
      (rows) => deletionOfGrants(`SELECT grant_id FROM connections WHERE pk IN ${rows()}`)[0],
      (rows) => deletionOfGrants(`SELECT grant_id FROM connections WHERE pk IN ${rows()}`)[1],
      (rows) => `UPDATE connections SET ended_at = ${RETIRED_AT("connections")} WHERE pk IN ${rows()}`,
    ],
  }),
  erasure({
    key: ["pk"],
    find: (handles) =>
      `SELECT e.pk FROM handles h JOIN entities e ON e.kind = 'handle' AND e.name = h.slug WHERE h.pk IN ${handles}`,
    erase: [
      (rows) => `DELETE FROM entities_fts WHERE rowid IN ${rows()}`,
      (rows) => `DELETE FROM entity_tags WHERE entity IN ${rows()}`,
      (rows) => `DELETE FROM entity_schemas WHERE entity IN ${rows()}`,
      (rows) => `DELETE FROM entities WHERE pk IN ${rows()}`,
    ],
  }),
  ...["sender", "target"].map((side) =>
    erasure({
      key: ["pk"],
      find: (handles) => `SELECT pk FROM knocks WHERE ${side} IN ${handles} AND status = 'pending'`,
      erase: [(rows) => `UPDATE knocks SET status = 'expired' WHERE pk IN ${rows()} AND status = 'pending'`],
    }),
  ),
  erasure({
    key: ["handle", "other"],
    find: (handles) => `SELECT handle, other FROM contacts WHERE handle IN ${handles}`,
    erase: [
      (rows) => `DELETE FROM contacts WHERE (handle, other) IN ${rows()}`,
      (rows) => `DELETE FROM contacts WHERE (handle, other) IN ${rows("other, handle")}`,
    ],
  }),
  // Keep blocks against the handle, because they apply to all handles of its account.
  erasure({
    key: ["handle", "other"],
    find: (handles) => `SELECT handle, other FROM blocks WHERE handle IN ${handles}`,
    erase: [(rows) => `DELETE FROM blocks WHERE (handle, other) IN ${rows()}`],
  }),
  erasure({
    key: ["space", "handle"],
    find: (handles) => `SELECT space, handle FROM members WHERE handle IN ${handles} AND role <> 'owner'`,
    erase: [(rows) => `DELETE FROM members WHERE (space, handle) IN ${rows()} AND role <> 'owner'`],
  }),
  erasure({
    key: ["space", "handle"],
    find: (handles) => `SELECT space, handle FROM departures WHERE handle IN ${handles}`,
    erase: [(rows) => `DELETE FROM departures WHERE (space, handle) IN ${rows()}`],
  }),
  // For a deleted account, erase unsent items and stored responses.
  {
    ...unsentApprovals,
    async erase(tx, rows) {
      await unsentApprovals.erase(tx, rows);
      // Remember the highest primary key, because keys of deleted approvals must not be reused.
      await tx.run(storeMark("approvals", "CAST(? AS bigint)"), [
        Math.max(...rows.map(([pk]) => Number(pk))),
      ]);
    },
  },
  erasure({
    key: ["caller", "operation", "key"],
    type: "text",
    find: (handles) =>
      `SELECT caller, operation, key FROM idempotency WHERE caller IN (
         SELECT h.id FROM handles h WHERE h.pk IN ${handles} AND ${IS_DELETED})`,
    erase: [(rows) => `DELETE FROM idempotency WHERE (caller, operation, key) IN ${rows()}`],
  }),
  erasure({
    key: ["pk"],
    find: (handles) => `SELECT p.pk FROM approvals p JOIN handles h ON h.pk = p.handle
      WHERE p.handle IN ${handles} AND p.status = 'pending' AND p.created_at > h.retired_at - ${APPROVAL_LIFETIME_MS}`,
    erase: [
      (rows) =>
        `UPDATE approvals SET status = 'withdrawn', decided_at = ${RETIRED_AT("approvals")} WHERE pk IN ${rows()} AND status = 'pending'`,
    ],
  }),
];

const ENQUEUE = ofHandles(
  (handles) =>
    `INSERT INTO erasures (handle) SELECT pk FROM handles WHERE pk IN ${handles} ON CONFLICT DO NOTHING`,
);
const DEQUEUE = ofHandles((handles) => `DELETE FROM erasures WHERE handle IN ${handles}`);

export async function enqueueErasure(tx: Transaction, handles: readonly number[]): Promise<void> {
  await tx.run(ENQUEUE, [numberedIntegers(handles)]);
}

/**
 * Queues all handles of a deleted account, including handles that were retired earlier, because their unsent
 * items must be erased too.
 */
export async function enqueueErasureOfAccount(tx: Transaction, account: number): Promise<void> {
  await tx.run(
    "INSERT INTO erasures (handle) SELECT pk FROM handles WHERE account = ? ON CONFLICT DO NOTHING",
    [account],
  );
}

export async function queuedHandles(
  session: Session,
  account: number | undefined,
  limit: number,
): Promise<number[]> {
  const ofAccount: [string, SqlValue[]] =
    account === undefined ? ["", []] : ["JOIN handles h ON h.pk = e.handle AND h.account = ?", [account]];
  const [join, params] = ofAccount;
  const rows = await session.all<{ handle: number }>(
    `SELECT e.handle FROM erasures e ${join} ORDER BY e.handle LIMIT ?`,
    [...params, limit],
  );
  return rows.map(({ handle }) => handle);
}

export async function dequeueErasure(tx: Transaction, handles: readonly number[]): Promise<void> {
  await tx.run(DEQUEUE, [numberedIntegers(handles)]);
}

/** A space whose retired owner is still a member. */
export interface OwnedSpace {
  space: number;
  slug: string;
  owner: number;
  ownerSlug: string;
  account: number;
}

const OWNED_SPACES: Sql = ofHandles(
  (handles) => `SELECT s.pk AS space, s.slug, h.pk AS owner, h.slug AS "ownerSlug", h.account
    FROM members m JOIN spaces s ON s.pk = m.space JOIN handles h ON h.pk = m.handle
    WHERE m.handle IN ${handles} AND m.role = 'owner' LIMIT ?`,
);

export function ownedSpaces(
  session: Session,
  handles: readonly number[],
  limit: number,
): Promise<OwnedSpace[]> {
  return session.all(OWNED_SPACES, [numberedIntegers(handles), limit]);
}

const MEMBERS_PER_QUERY = 1_000;

interface MemberRow {
  handle: number;
  joined_at: number;
  role: string;
  account: number;
  slug: string;
}

/** Ignores mods of the owner's account. */
export async function longestStandingMod(
  session: Session,
  { space, account }: OwnedSpace,
): Promise<Pick<MemberRow, "handle" | "account" | "slug"> | undefined> {
  let last: MemberRow | undefined;
  for (;;) {
    const members: MemberRow[] = await session.all<MemberRow>(
      `SELECT m.handle, m.joined_at, m.role, h.account, h.slug FROM members m JOIN handles h ON h.pk = m.handle
       WHERE m.space = ? AND (m.joined_at, m.handle) > (?, ?) ORDER BY m.joined_at, m.handle LIMIT ?`,
      [space, last?.joined_at ?? 0, last?.handle ?? 0, MEMBERS_PER_QUERY],
    );
    const heir = members.find((member) => member.role === "mod" && member.account !== account);
    if (heir || members.length < MEMBERS_PER_QUERY) return heir;
    last = members.at(-1);
  }
}

/** Returns false if the owner or the mod has changed. The caller must have locked the space and the mod. */
export async function passSpaceOn(
  tx: Transaction,
  { space, owner }: OwnedSpace,
  heir: number,
): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE members SET role = 'owner' WHERE space = ?1 AND handle = ?2 AND role = 'mod'
       AND EXISTS (SELECT 1 FROM members o WHERE o.space = ?1 AND o.handle = ?3 AND o.role = 'owner')`,
    [space, heir, owner],
  );
  if (changes === 0) return false;
  await tx.run("UPDATE spaces SET owner = ? WHERE pk = ?", [heir, space]);
  await tx.run("DELETE FROM members WHERE space = ? AND handle = ?", [space, owner]);
  return true;
}

/**
 * Closes a space that no mod can take over (docs/specification/knocks.md#closed-spaces). Nobody can post in a
 * closed space. The caller must have locked the space.
 */
export async function closeSpace(tx: Transaction, { space, owner, account }: OwnedSpace): Promise<void> {
  await tx.run(
    `UPDATE members SET role = 'poster' WHERE space = ? AND role = 'mod'
       AND handle IN (SELECT pk FROM handles WHERE account = ?)`,
    [space, account],
  );
  await tx.run("UPDATE spaces SET posting_rights = 'mods' WHERE pk = ?", [space]);
  await tx.run("DELETE FROM members WHERE space = ? AND handle = ? AND role = 'owner'", [space, owner]);
  await endClaimsWithoutRight(tx, space);
}
