/**
 * Stores the hashes of access tokens (docs/specification/identity.md#access-tokens). A token belongs to a
 * connection, unless it was issued to the signed-in human.
 */
import type { Transaction } from "../engine/engine.js";
import { numberedIntegers } from "../engine/sql.js";
import { holdersByHash } from "./credentials.js";
import { ofHandles } from "./handles.js";

/**
 * Looks up access tokens by their hash. Returns `undefined` for an unknown or ended token. While a handle is
 * suspended, its ended tokens are also found, so that the client learns why it is refused.
 */
export const tokenHolders = holdersByHash(
  "access_tokens",
  "k.connection",
  `h.retired_at IS NULL AND (k.ended_at IS NULL OR h.suspended_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM connections c WHERE c.pk = k.connection AND c.ended_at IS NOT NULL)`,
);

/**
 * Deletes a handle's oldest tokens that have no connection.
 * @param kept number of newest tokens to keep
 */
export async function deleteOldestTokens(tx: Transaction, handle: number, kept: number): Promise<boolean> {
  const { changes } = await tx.run(
    `DELETE FROM access_tokens WHERE handle = ?1 AND connection IS NULL AND pk <=
       (SELECT pk FROM access_tokens WHERE handle = ?1 AND connection IS NULL ORDER BY pk DESC LIMIT 1 OFFSET ?2)`,
    [handle, kept],
  );
  return changes > 0;
}

export interface NewAccessToken {
  hash: string;
  handle: number;
  createdAt: number;
  expiresAt: number;
  connection?: number;
  /** The grant of the sign-in that issued the token. */
  grantId?: string | undefined;
}

export async function insertAccessToken(tx: Transaction, token: NewAccessToken): Promise<void> {
  await tx.run(
    "INSERT INTO access_tokens (hash, handle, connection, grant_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
    [
      token.hash,
      token.handle,
      token.connection ?? null,
      token.grantId ?? null,
      token.createdAt,
      token.expiresAt,
    ],
  );
}

const END_ISSUED_TOKENS = ofHandles(
  (handles) =>
    `UPDATE access_tokens SET ended_at = ? WHERE handle IN ${handles} AND connection IS NULL AND ended_at IS NULL`,
);

export async function endIssuedTokens(
  tx: Transaction,
  handles: readonly number[],
  at: number,
): Promise<void> {
  await tx.run(END_ISSUED_TOKENS, [at, numberedIntegers(handles)]);
}

export async function deleteIssuedToken(tx: Transaction, handle: number, hash: string): Promise<void> {
  await tx.run("DELETE FROM access_tokens WHERE hash = ? AND handle = ? AND connection IS NULL", [
    hash,
    handle,
  ]);
}

/**
 * Deletes the access tokens of sign-ins.
 * @param grants SQL expression for the sign-ins' grant ids; `params` are its parameters
 */
export async function deleteTokensOfSignIns(
  tx: Transaction,
  grants: string,
  params: readonly string[],
): Promise<void> {
  const deleted = await tx.all<{ handle: number }>(
    `DELETE FROM access_tokens WHERE grant_id IN (${grants}) RETURNING handle`,
    params,
  );
  // The event ends long polls that use these tokens, and removes the tokens from every daemon's cache.
  for (const handle of new Set(deleted.map((token) => token.handle))) tx.publish({ topic: "status", handle });
}

export async function deleteExpiredTokens(tx: Transaction, at: number, limit: number): Promise<number> {
  const { changes } = await tx.run(
    `DELETE FROM access_tokens WHERE pk IN
       (SELECT pk FROM access_tokens WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
    [at, limit],
  );
  return changes;
}
