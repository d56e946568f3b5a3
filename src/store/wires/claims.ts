/**
 * Stores claims of wires (docs/specification/rules.md#claims). A claim is open again as soon as its time has
 * passed, so nothing has to be written when it expires.
 */
import type { Claim } from "../../contract/shapes.js";
import { isoTime } from "../../kernel/clock.js";
import type { Session, Transaction } from "../engine/engine.js";
import { NUMBERED_INTEGERS, numberedIntegers, sql } from "../engine/sql.js";

/** `until` of a wire that is done for good. The partial indexes contain the same number. */
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

/**
 * The wire must be locked if the caller changes the claim. Returns undefined if nobody has claimed the wire.
 */
export function claimOf(session: Session, wire: number): Promise<StoredClaim | undefined> {
  return session.get<StoredClaim>(
    `SELECT ${CLAIM_COLUMNS} FROM claims c JOIN handles h ON h.pk = c.holder WHERE c.wire = ?`,
    [wire],
  );
}

const CLAIMS = sql`SELECT w.pk, ${CLAIM_COLUMNS} FROM ${NUMBERED_INTEGERS.table("wanted")} JOIN wires w ON w.pk = wanted.value
    LEFT JOIN claims c ON c.wire = w.pk LEFT JOIN handles h ON h.pk = c.holder WHERE w.removed_at IS NULL`;

/** Returns the claim that each wire shows, by primary key. A removed wire has none. */
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

const TAKE = sql`INSERT INTO claims (wire, space, attempt, holder, until, done)
    SELECT w.pk, w.space, 1, CAST(? AS bigint), CAST(? AS bigint), 0
    FROM ${NUMBERED_INTEGERS.table("wanted")} JOIN wires w ON w.pk = wanted.value WHERE true
    ON CONFLICT (wire) DO UPDATE
    SET attempt = claims.attempt + 1, holder = excluded.holder, until = excluded.until, done = 0, reply = NULL
    WHERE claims.until <= ? RETURNING wire, attempt`;

/**
 * Claims those of the wires that are open, and returns their attempts by primary key. The condition holds
 * even if another daemon claims the same wires at the same time.
 */
export async function takeClaims(
  tx: Transaction,
  wires: readonly number[],
  { holder, until, at }: { holder: number; until: number; at: number },
): Promise<Map<number, number>> {
  const params = [holder, until, numberedIntegers(wires), at];
  const taken = await tx.all<{ wire: number; attempt: number }>(TAKE, params);
  return new Map(taken.map(({ wire, attempt }) => [wire, attempt]));
}

export async function extendClaim(tx: Transaction, wire: number, until: number): Promise<void> {
  await tx.run("UPDATE claims SET until = ? WHERE wire = ?", [until, wire]);
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

/** Finishes the claim for good if the held reply was sent; otherwise opens the wire again. */
export async function settleHeldReply(tx: Transaction, reply: string, isSent: boolean): Promise<void> {
  const change = isSent ? `until = ${FOREVER}, reply = NULL` : ENDED;
  await tx.run(`UPDATE claims SET ${change} WHERE reply = ?`, [reply]);
}

/** Opens the wire again. No earlier token is valid any more. */
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

/** Also opens the wires that held replies have finished, because these replies are withdrawn. */
export async function endClaimsOfRetired(tx: Transaction, holders: readonly number[]): Promise<void> {
  await tx.run(END_OF_RETIRED, [numberedIntegers(holders)]);
}

/**
 * Makes changes that take the right to claim in a space wait until this transaction ends. Posts do not wait.
 * Call this before the right is read.
 */
export function lockRightToClaim(tx: Transaction, space: { slug: string } | { wireId: string }): void {
  // SQLite runs one write at a time.
  if (tx.engine === "sqlite") return;
  if ("slug" in space) tx.enqueue("SELECT 1 FROM spaces WHERE slug = ? FOR KEY SHARE", [space.slug]);
  else
    tx.enqueue("SELECT 1 FROM spaces WHERE pk = (SELECT space FROM wires WHERE id = ?) FOR KEY SHARE", [
      space.wireId,
    ]);
}

/** The members of spaces who may post there. */
export const POSTERS = `(SELECT m.space, m.handle FROM members m JOIN spaces s ON s.pk = m.space
  WHERE m.role IN ('owner', 'mod') OR (m.role = 'poster' AND s.posting_rights <> 'mods')) m`;

/**
 * Ends the claims in a space whose holders may not post there any more, after its members or rights changed.
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
  pk: number;
  id: string;
  /** An upper bound of its size in an answer. */
  bytes: number;
}

/** Bytes of the token and the other fields that an answer adds to a wire. */
const FRAME_BYTES = 600;
const OPEN_WIRE = `w.pk, w.id, octet_length(w.doc) + ${FRAME_BYTES} AS bytes`;
export const UNCLAIMED =
  "w.reply_to IS NULL AND w.removed_at IS NULL AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.wire = w.pk)";

/** Other transactions skip the wires that one is about to claim, instead of waiting for it. */
const forClaim = (select: string) => ({
  sqlite: select,
  postgres: `${select} FOR NO KEY UPDATE OF w SKIP LOCKED`,
});
const NEVER_CLAIMED = forClaim(
  `SELECT ${OPEN_WIRE} FROM wires w WHERE w.space = ? AND w.pk > ? AND ${UNCLAIMED} ORDER BY w.pk LIMIT ?`,
);
const CLAIMED_BEFORE = forClaim(
  `SELECT ${OPEN_WIRE} FROM claims c JOIN wires w ON w.pk = c.wire
   WHERE c.space = ? AND c.until < ${FOREVER} AND c.until <= ? AND w.pk > ? AND w.reply_to IS NULL
   ORDER BY c.attempt, c.wire LIMIT ?`,
);

/** The wires with the fewest claims come first, then the oldest. */
export async function openWires(
  tx: Transaction,
  { space, floor, unclaimedAfter, at }: OpenWiresQuery,
  limit: number,
): Promise<OpenWire[]> {
  const found = await tx.all<OpenWire>(NEVER_CLAIMED, [space, unclaimedAfter, limit]);
  if (found.length === limit) return found;
  return [...found, ...(await tx.all<OpenWire>(CLAIMED_BEFORE, [space, at, floor, limit - found.length]))];
}

/** Returns the last root wire before the first that was never claimed; see `UnclaimedWires`. */
export async function firstUnclaimed(session: Session, space: number, after: number): Promise<number> {
  const row = await session.get<{ after: number }>(
    `SELECT coalesce(
       (SELECT w.pk - 1 FROM wires w WHERE w.space = ?1 AND w.pk > ?2 AND ${UNCLAIMED} ORDER BY w.pk LIMIT 1),
       (SELECT max(w.pk) FROM wires w WHERE w.space = ?1 AND w.reply_to IS NULL), 0) AS after`,
    [space, after],
  );
  return row!.after;
}

const SPACES_WITH_OPEN = sql`SELECT q.value AS space FROM ${NUMBERED_INTEGERS.table("q")}
    WHERE EXISTS (SELECT 1 FROM claims c JOIN wires w ON w.pk = c.wire
      WHERE c.space = q.value AND c.until < ${FOREVER} AND c.until <= ? AND w.reply_to IS NULL)`;

/** Returns those of the spaces in which a root wire that was claimed before is open. */
export async function spacesWithOpenClaims(
  session: Session,
  spaces: readonly number[],
  at: number,
): Promise<number[]> {
  const rows = await session.all<{ space: number }>(SPACES_WITH_OPEN, [numberedIntegers(spaces), at]);
  return rows.map(({ space }) => space);
}
