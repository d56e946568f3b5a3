/**
 * Counts handles and keys for the limits per account and per handle
 * (docs/specification/limits.md#accounts-and-handles).
 */
import type { Session } from "../engine/engine.js";

const NEVER = Number.MAX_SAFE_INTEGER;
/** The same expression as in the index `handles_by_retirement`, so that queries can use the index. */
export const RETIRED_AT = `COALESCE(retired_at, ${NEVER})`;

export async function handlePks(session: Session, account: number, limit: number): Promise<number[]> {
  const rows = await session.all<{ pk: number }>("SELECT pk FROM handles WHERE account = ? LIMIT ?", [
    account,
    limit,
  ]);
  return rows.map(({ pk }) => pk);
}

export async function hasLiveHandles(session: Session, account: number, count: number): Promise<boolean> {
  const row = await session.get(
    `SELECT 1 FROM handles WHERE account = ? AND ${RETIRED_AT} = ${NEVER} LIMIT 1 OFFSET ?`,
    [account, count - 1],
  );
  return row !== undefined;
}

/**
 * Returns when the account created its nth newest handle, counted from `before` back, or undefined if that
 * was not later than `after`. Retired handles count too.
 */
export async function nthNewestHandleAt(
  session: Session,
  account: number,
  times: { after: number; before: number },
  n: number,
): Promise<number | undefined> {
  const row = await session.get<{ at: number }>(
    `SELECT created_at AS at FROM handles WHERE account = ? AND created_at > ? AND created_at < ?
     ORDER BY created_at DESC LIMIT 1 OFFSET ?`,
    [account, times.after, times.before, n - 1],
  );
  return row?.at;
}

/** A live key is neither revoked nor expired. */
export async function hasLiveKeys(
  session: Session,
  handle: number,
  at: number,
  count: number,
): Promise<boolean> {
  const row = await session.get(
    `SELECT 1 FROM api_keys WHERE handle = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)
     LIMIT 1 OFFSET ?`,
    [handle, at, count - 1],
  );
  return row !== undefined;
}
