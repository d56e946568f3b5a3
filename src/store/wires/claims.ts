/**
 * Stores claims of wires (docs/specification/rules.md#claims). A wire is open again as soon as the time of
 * its claim has passed, so expiry needs no write.
 */
import type { Claim } from "../../contract/shapes.js";
import { isoTime } from "../../kernel/clock.js";
import type { BatchedRead, Session, Transaction } from "../engine/engine.js";
import { inOneRoundTrip } from "../engine/selects.js";
import { NUMBERED_INTEGERS, numberedIntegers, RowsParameter, sql, TEXTS, texts } from "../engine/sql.js";
import { type WireRow, wiresByPk, withDocs } from "./pages.js";

/** The value of `until` if a wire is permanently finished. The partial indexes contain the same number. */
export const FOREVER = Number.MAX_SAFE_INTEGER;

export interface StoredClaim {
  attempt: number;
  holder: number;
  /** Slug of the holder. */
  by: string;
  /** See the column in the migration `claims`. */
  until: number;
  done: number;
}

export const CLAIM_COLUMNS = "c.attempt, c.holder, h.slug AS by, c.until, c.done";

const LOCKED = sql`SELECT c.wire, ${CLAIM_COLUMNS} FROM ${NUMBERED_INTEGERS.table("wanted")} JOIN claims c ON c.wire = wanted.value
    JOIN handles h ON h.pk = c.holder ${{ sqlite: "", postgres: "ORDER BY c.wire FOR NO KEY UPDATE OF c" }}`;

/**
 * Locks claims and returns them by wire. The caller must have locked the wires. The claims need their own
 * lock, because other transactions end claims, or settle held replies, without locking the wires.
 */
export async function lockClaims(
  tx: Transaction,
  wires: readonly number[],
): Promise<Map<number, StoredClaim>> {
  if (wires.length === 0) return new Map();
  const found = await tx.all<StoredClaim & { wire: number }>(LOCKED, [numberedIntegers(wires)]);
  return new Map(found.map((claim) => [claim.wire, claim]));
}

const CLAIMS = sql`SELECT w.pk, ${CLAIM_COLUMNS} FROM ${NUMBERED_INTEGERS.table("wanted")} JOIN wires w ON w.pk = wanted.value
    LEFT JOIN claims c ON c.wire = w.pk LEFT JOIN handles h ON h.pk = c.holder WHERE w.removed_at IS NULL`;

/** Returns the claims that wires show, by primary key. A removed wire shows none. */
export async function claimsShown(
  session: Session,
  wires: readonly number[],
  at: number,
): Promise<Map<number, Claim>> {
  const rows = await session.all<{ pk: number } & (StoredClaim | { attempt: null })>(CLAIMS, [
    numberedIntegers(wires),
  ]);
  return new Map(rows.map((row) => [row.pk, toClaim(row.attempt === null ? undefined : row, at)]));
}

export function toClaim(stored: StoredClaim | undefined, at: number): Claim {
  const attempt = stored?.attempt ?? 0;
  if (!stored || stored.until <= at) return { state: "open", by: null, until: null, attempt };
  const { by, until, done } = stored;
  if (done) return { state: "done", by, until: null, attempt };
  return { state: "claimed", by, until: isoTime(until), attempt };
}

/** The last claim of a wire, as it is to be stored. */
export interface NewClaim extends Omit<StoredClaim, "by"> {
  wire: number;
  space: number;
}

const ROWS = new RowsParameter({
  wire: "integer",
  space: "integer",
  attempt: "integer",
  holder: "integer",
  until: "integer",
  done: "integer",
});
const STORE = sql`INSERT INTO claims (wire, space, attempt, holder, until, done)
    SELECT wire, space, attempt, holder, until, done FROM ${ROWS.table("q")} WHERE true
    ON CONFLICT (wire) DO UPDATE
    SET attempt = excluded.attempt, holder = excluded.holder, until = excluded.until, done = excluded.done, reply = NULL`;

/** The claims must be locked by {@link lockClaims}. */
export function enqueueClaims(tx: Transaction, claims: readonly NewClaim[]): void {
  if (claims.length > 0) tx.enqueue(STORE, [ROWS.bindObjects(claims)]);
}

const ENDED = "until = 0, done = 0, reply = NULL";

/** @param held the held reply that finishes the claim, and when its approval expires */
export async function finishClaim(
  tx: Transaction,
  wire: number,
  held?: { id: string; until: number },
): Promise<void> {
  await tx.run("UPDATE claims SET until = ?, done = 1, reply = ? WHERE wire = ?", [
    held?.until ?? FOREVER,
    held?.id ?? null,
    wire,
  ]);
}

/** Finishes the claim permanently if the held reply was sent; otherwise opens the wire again. */
export async function settleHeldReply(tx: Transaction, reply: string, isSent: boolean): Promise<void> {
  const change = isSent ? `until = ${FOREVER}, reply = NULL` : ENDED;
  await tx.run(`UPDATE claims SET ${change} WHERE reply = ?`, [reply]);
}

/** Opens the wire again. All earlier tokens become invalid. */
export async function endClaim(tx: Transaction, wire: number): Promise<void> {
  await tx.run(`UPDATE claims SET ${ENDED} WHERE wire = ?`, [wire]);
}

/** Must be called before the wire becomes a tombstone, which has no claim. */
export async function deleteClaim(tx: Transaction, wire: number): Promise<void> {
  await tx.run("DELETE FROM claims WHERE wire = ?", [wire]);
}

/** Claims that are neither finished nor ended early. They may have expired. */
export const UNFINISHED = `until > 0 AND until < ${FOREVER} AND done = 0`;
const endOfHolders = (claims: string) =>
  sql`UPDATE claims SET ${ENDED} WHERE ${claims}
      AND holder IN (SELECT q.value FROM ${NUMBERED_INTEGERS.table("q")})`;
const END_OF_SUSPENDED = endOfHolders(UNFINISHED);
const END_OF_RETIRED = endOfHolders(`until > 0 AND until < ${FOREVER}`);

export async function endClaimsOfSuspended(tx: Transaction, holders: readonly number[]): Promise<void> {
  if (holders.length > 0) await tx.run(END_OF_SUSPENDED, [numberedIntegers(holders)]);
}

/**
 * Ends the claims, and opens the wires that held replies have finished, because these replies are withdrawn.
 */
export async function endClaimsOfRetired(tx: Transaction, holders: readonly number[]): Promise<void> {
  await tx.run(END_OF_RETIRED, [numberedIntegers(holders)]);
}

/**
 * Until this transaction ends, delays changes that take away the right to claim in these spaces, but no
 * posts. Call this before checking the right.
 * @param condition SQL condition for the spaces, whose parameter is `values`
 */
const lockRights = (condition: string) => (tx: Transaction, values: readonly string[]) => {
  // SQLite runs one write at a time.
  if (tx.engine === "sqlite") return;
  tx.enqueue(`SELECT 1 FROM spaces WHERE ${condition} ORDER BY pk FOR KEY SHARE`, [texts(values)]);
};

const VALUES = `(SELECT value FROM ${TEXTS.table("q").postgres})`;
export const lockRightsInSpaces = lockRights(`slug IN ${VALUES}`);
export const lockRightsOnWires = lockRights(`pk IN (SELECT space FROM wires WHERE id IN ${VALUES})`);

/** The members of spaces who may post there. */
const POSTERS = `(SELECT m.space, m.handle FROM members m JOIN spaces s ON s.pk = m.space
  WHERE m.role IN ('owner', 'mod') OR (m.role = 'poster' AND s.posting_rights <> 'mods')) m`;

/**
 * Ends the claims in a space whose holders may no longer post there. Call this after the space's members or
 * rights have changed.
 */
export async function endClaimsWithoutRight(tx: Transaction, space: number): Promise<void> {
  // Waits for transactions that make claims under the former rights.
  if (tx.engine === "postgres") tx.enqueue("SELECT 1 FROM spaces WHERE pk = ? FOR UPDATE", [space]);
  await tx.run(
    `UPDATE claims SET ${ENDED} WHERE ${UNFINISHED} AND space = ? AND NOT EXISTS (
       SELECT 1 FROM ${POSTERS} WHERE m.space = claims.space AND m.handle = claims.holder)`,
    [space],
  );
}

/** Finds open root wires of a space. */
export interface OpenWiresQuery {
  space: number;
  /** Retention hides wires up to this primary key. */
  floor: number;
  /** See `UnclaimedWires`. At least `floor`. */
  unclaimedAfter: number;
  at: number;
}

export interface OpenWire {
  wire: WireRow;
  id: string;
  /** The number of claims so far. */
  attempt: number;
}

const UNCLAIMED =
  "w.reply_to IS NULL AND w.removed_at IS NULL AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.wire = w.pk)";

/** Skips wires that another transaction is about to claim, instead of waiting for it. */
const SKIP_LOCKED = { sqlite: "", postgres: "FOR NO KEY UPDATE OF w SKIP LOCKED" };
const NEVER_CLAIMED = sql`SELECT w.pk, w.id FROM wires w WHERE w.space = ? AND w.pk > ? AND ${UNCLAIMED}
    ORDER BY w.pk LIMIT ? ${SKIP_LOCKED}`;
const CLAIMED_BEFORE = sql`SELECT w.pk, w.id FROM claims c JOIN wires w ON w.pk = c.wire
    WHERE c.space = ? AND c.until < ${FOREVER} AND c.until <= ? AND w.pk > ? AND w.reply_to IS NULL AND w.removed_at IS NULL
    ORDER BY c.attempt, c.wire LIMIT ? ${SKIP_LOCKED}`;

/** Locks open root wires and their claims. The wires with the fewest claims come first, then the oldest. */
export async function lockOpenWires(
  tx: Transaction,
  query: OpenWiresQuery,
  limit: number,
): Promise<OpenWire[]> {
  if (limit === 0) return [];
  for (;;) {
    const found = await findOpenWires(tx, query, limit);
    const ids = new Map(found.map(({ pk, id }) => [pk, id]));
    const pks = [...ids.keys()];
    const [claims, rows] = await inOneRoundTrip([lockClaims(tx, pks), wiresByPk(tx, pks)]);
    const isOpen = ({ pk }: { pk: number }) => (claims.get(pk)?.until ?? 0) <= query.at;
    // On PostgreSQL, another transaction may have claimed some of the wires since they were found.
    if (found.length === limit && !found.every(isOpen)) continue;
    const wires = await withDocs(tx, rows.filter(isOpen));
    return wires.map((wire) => ({
      wire,
      id: ids.get(wire.pk)!,
      attempt: claims.get(wire.pk)?.attempt ?? 0,
    }));
  }
}

async function findOpenWires(
  tx: Transaction,
  { space, floor, unclaimedAfter, at }: OpenWiresQuery,
  limit: number,
): Promise<{ pk: number; id: string }[]> {
  const found = await tx.all<{ pk: number; id: string }>(NEVER_CLAIMED, [space, unclaimedAfter, limit]);
  if (found.length === limit) return found;
  const again = [space, at, floor, limit - found.length];
  return [...found, ...(await tx.all<{ pk: number; id: string }>(CLAIMED_BEFORE, again))];
}

const QUERIES = new RowsParameter({ space: "integer", floor: "integer", after: "integer", at: "integer" });
const WITH_OPEN_WIRE = sql`SELECT q.space FROM ${QUERIES.materialisedTable("q")}
    WHERE EXISTS (SELECT 1 FROM wires w WHERE w.space = q.space AND w.pk > q.after AND ${UNCLAIMED})
      OR EXISTS (SELECT 1 FROM claims c JOIN wires w ON w.pk = c.wire
        WHERE c.space = q.space AND c.until < ${FOREVER} AND c.until <= q.at AND w.pk > q.floor AND w.reply_to IS NULL)`;

export const hasOpenWire: BatchedRead<OpenWiresQuery, boolean> = {
  async run(session, queries) {
    // Ask once for each space, because many requests wait in few spaces.
    const bySpace = new Map(queries.map((query) => [query.space, query]));
    const rows = [...bySpace.values()].map(({ space, floor, unclaimedAfter, at }) => [
      space,
      floor,
      unclaimedAfter,
      at,
    ]);
    const found = await session.all<{ space: number }>(WITH_OPEN_WIRE, [QUERIES.bind(rows)]);
    const open = new Set(found.map(({ space }) => space));
    return queries.map(({ space }) => open.has(space));
  },
};

/** Returns a primary key up to which no root wire is unclaimed; see `UnclaimedWires`. */
export async function firstUnclaimed(session: Session, space: number, after: number): Promise<number> {
  const row = await session.get<{ after: number }>(
    `SELECT coalesce(
       (SELECT w.pk - 1 FROM wires w WHERE w.space = ?1 AND w.pk > ?2 AND ${UNCLAIMED} ORDER BY w.pk LIMIT 1),
       (SELECT max(w.pk) FROM wires w WHERE w.space = ?1 AND w.reply_to IS NULL), 0) AS after`,
    [space, after],
  );
  return row!.after;
}
