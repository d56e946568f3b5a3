/**
 * Stores sign-ins of humans at Wireroom's own clients. A sign-in is a grant of the authorization server that
 * has received a refresh token (docs/specification/dashboard-operations.md#sign-ins). An ended sign-in is
 * kept until its last token would have expired, so that ending it again succeeds.
 */
import type { Session, Transaction } from "../engine/engine.js";
import { deleteTokensOfSignIns } from "./access-tokens.js";
import { deleteGrants } from "./credentials.js";

export interface SignInInput {
  id: string;
  human: string;
  clientId: string;
  createdAt: number;
  /** Undefined for a human of an external provider. */
  version: number | undefined;
}

/** Parameter: the current time. */
const IS_LIVE = "ended_at IS NULL AND expires_at > ?";

/**
 * Locks and returns a human's version, which increases when the human ends all other sign-ins. Returns
 * undefined for a deleted human and for a human of an external provider.
 */
export async function lockVersion(
  tx: Transaction,
  { human, version }: SignInInput,
): Promise<number | undefined> {
  if (version === undefined) return undefined;
  const user = await tx.get<{ version: number }>(
    "UPDATE identity_users SET version = version WHERE id = ? RETURNING version",
    [human],
  );
  return user?.version;
}

/**
 * Records that a sign-in received a refresh token. Returns false if the sign-in is no longer valid.
 * @param presentVersion the result of {@link lockVersion}
 */
export async function recordSignIn(
  tx: Transaction,
  grantId: string,
  { id, human, clientId, createdAt, version }: SignInInput,
  { presentVersion, now, expiresAt }: { presentVersion: number | undefined; now: number; expiresAt: number },
): Promise<boolean> {
  if (presentVersion !== version) {
    // The human has ended all other sign-ins. The sign-in that was kept has a row in `sign_ins`.
    const kept = await tx.get("SELECT 1 AS found FROM sign_ins WHERE grant_id = ?", [grantId]);
    if (!kept) return false;
  }
  const { changes } = await tx.run(
    `INSERT INTO sign_ins (id, human, grant_id, client_id, created_at, last_used_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (grant_id) DO UPDATE SET last_used_at = excluded.last_used_at, expires_at = excluded.expires_at
       WHERE sign_ins.ended_at IS NULL`,
    [id, human, grantId, clientId, createdAt, now, expiresAt],
  );
  return changes > 0;
}

export interface StoredSignIn {
  pk: number;
  id: string;
  human: string;
  grantId: string;
  clientId: string;
  createdAt: number;
  lastUsedAt: number;
}

const SELECT = `SELECT pk, id, human, grant_id AS "grantId", client_id AS "clientId", created_at AS "createdAt",
  last_used_at AS "lastUsedAt" FROM sign_ins`;

export function signInsOfHuman(
  session: Session,
  { human, before, limit, at }: { human: string; before: number; limit: number; at: number },
): Promise<StoredSignIn[]> {
  return session.all(`${SELECT} WHERE human = ? AND pk < ? AND ${IS_LIVE} ORDER BY pk DESC LIMIT ?`, [
    human,
    before,
    at,
    limit,
  ]);
}

export function signInById(session: Session, id: string): Promise<StoredSignIn | undefined> {
  return session.get(`${SELECT} WHERE id = ?`, [id]);
}

/** Checks the expiry too, because an expired grant is deleted only some time later. */
export async function isSignedIn(session: Session, grantId: string, at: number): Promise<boolean> {
  const grant = await session.get(
    `SELECT 1 AS found FROM identity_records r WHERE r.model = 'Grant' AND r.id = ?
       AND NOT EXISTS (SELECT 1 FROM sign_ins s WHERE s.grant_id = r.id AND s.expires_at <= ?)`,
    [grantId, at],
  );
  return grant !== undefined;
}

/** Returns undefined if the grant has no sign-in. */
export async function signInExpiry(session: Session, grantId: string): Promise<number | undefined> {
  const signIn = await session.get<{ at: number }>(
    "SELECT expires_at AS at FROM sign_ins WHERE grant_id = ?",
    [grantId],
  );
  return signIn?.at;
}

/** Extends a grant to at least `expiresAt`. Returns false if the grant was deleted. */
export async function extendGrant(tx: Transaction, grantId: string, expiresAt: number): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE identity_records SET expires_at = CASE WHEN expires_at < ?1 THEN ?1 ELSE expires_at END
     WHERE model = 'Grant' AND id = ?2`,
    [expiresAt, grantId],
  );
  return changes > 0;
}

/**
 * Deletes a grant with its tokens and codes, and ends its sign-in. Returns whether a live sign-in has ended.
 */
export async function endGrant(tx: Transaction, grantId: string, at: number): Promise<boolean> {
  await deleteGrants(tx, "?", [grantId]);
  const { changes } = await tx.run(`UPDATE sign_ins SET ended_at = ? WHERE grant_id = ? AND ${IS_LIVE}`, [
    at,
    grantId,
    at,
  ]);
  await deleteTokensOfSignIns(tx, "?", [grantId]);
  return changes > 0;
}

/** Deletes the browser sessions, because they could start another sign-in without a password. */
export async function endSessionsOfSignIn(tx: Transaction, { human, grantId }: StoredSignIn): Promise<void> {
  await tx.run("DELETE FROM identity_records WHERE human = ? AND model = 'Session' AND payload LIKE ?", [
    human,
    `%"grantId":"${grantId}"%`,
  ]);
}

/**
 * Ends all sign-ins of a human except the one with the grant `keptGrantId`, and all browser sessions.
 * Increments the human's version, which also voids tokens that a concurrent request is about to store.
 * Returns the ids of the sign-ins that were live.
 */
export async function endOtherSignIns(
  tx: Transaction,
  human: string,
  keptGrantId: string | undefined,
  at: number,
): Promise<string[]> {
  const user = await tx.get<{ version: number }>(
    "UPDATE identity_users SET version = version + 1 WHERE id = ? RETURNING version",
    [human],
  );
  const others = "human = ? AND grant_id <> ?";
  const params = [human, keptGrantId ?? ""];
  const live = await tx.all<{ id: string }>(
    `SELECT id FROM sign_ins WHERE ${others} AND ${IS_LIVE} ORDER BY pk`,
    [...params, at],
  );
  await tx.run(`UPDATE sign_ins SET ended_at = ? WHERE ${others} AND ended_at IS NULL`, [at, ...params]);
  const grants = `SELECT grant_id FROM sign_ins WHERE ${others}`;
  await deleteGrants(tx, grants, params);
  await deleteTokensOfSignIns(tx, grants, params);
  // Delete the grants of sign-ins that have no tokens yet.
  await tx.run(
    `DELETE FROM identity_records WHERE model = 'Grant' AND human = ? AND id <> ?
       AND NOT EXISTS (SELECT 1 FROM connections c WHERE c.grant_id = identity_records.id)`,
    params,
  );
  await tx.run(
    "DELETE FROM identity_records WHERE model IN ('Session', 'Interaction', 'AuthorizationCode') AND human = ?",
    [human],
  );
  if (user && keptGrantId !== undefined) await keepGrant(tx, human, keptGrantId, user.version);
  return live.map(({ id }) => id);
}

export async function keepGrant(
  tx: Transaction,
  human: string,
  grantId: string,
  version: number,
): Promise<void> {
  const rows = await tx.all<{ model: string; id: string; payload: string }>(
    "SELECT model, id, payload FROM identity_records WHERE grant_id = ?",
    [grantId],
  );
  for (const { model, id, payload } of rows) {
    const record = JSON.parse(payload) as { accountId?: string; acr?: string };
    if (record.accountId !== human) continue;
    record.acr = String(version);
    await tx.run("UPDATE identity_records SET payload = ? WHERE model = ? AND id = ?", [
      JSON.stringify(record),
      model,
      id,
    ]);
  }
}

export async function deleteExpiredSignIns(tx: Transaction, at: number): Promise<void> {
  const grants = "SELECT grant_id FROM sign_ins WHERE expires_at <= ?";
  await tx.run(`DELETE FROM identity_records WHERE model = 'Grant' AND id IN (${grants})`, [at]);
  await tx.run("DELETE FROM sign_ins WHERE expires_at <= ?", [at]);
}
