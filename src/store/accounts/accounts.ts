/**
 * Stores accounts of humans, identified by the issuer and subject of their ID token
 * (docs/specification/identity.md#id-tokens).
 */
import { DAY } from "../../kernel/clock.js";
import { sha256 } from "../../kernel/hash.js";
import type { Session, Transaction } from "../engine/engine.js";

export interface StoredAccount {
  pk: number;
  id: string;
  email: string;
  /** 1 if the human wants mails about approvals, otherwise 0. */
  approvalMails: number;
  /**
   * Sign-ins before this time are refused, because the human's earlier account was deleted. Null if there was
   * none.
   */
  refusedBefore: number | null;
  /** Null if the account is not suspended. */
  suspendedAt: number | null;
}

export interface Identity {
  issuer: string;
  subject: string;
  email: string;
}

const COLUMNS = `pk, id, email, approval_mails AS "approvalMails", refused_before AS "refusedBefore", suspended_at AS "suspendedAt"`;

export function findAccount(session: Session, identity: Identity): Promise<StoredAccount | undefined> {
  return session.get(`SELECT ${COLUMNS} FROM accounts WHERE issuer = ? AND subject = ?`, [
    identity.issuer,
    identity.subject,
  ]);
}

/**
 * Creates the account of an identity on its first request. Later calls update the e-mail address
 * (docs/specification/identity.md#id-tokens). The caller must roll back if the human signed in before
 * `refusedBefore`.
 */
export async function upsertAccount(
  tx: Transaction,
  identity: Identity,
  id: string,
  createdAt: number,
): Promise<StoredAccount> {
  const row = await tx.get<StoredAccount>(
    `INSERT INTO accounts (id, issuer, subject, email, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (issuer, subject) DO UPDATE SET email = excluded.email
     RETURNING ${COLUMNS}`,
    [id, identity.issuer, identity.subject, identity.email, createdAt],
  );
  // Read this after writing the row, because that write waits for a concurrent deletion of the account.
  const former = await tx.get<{ at: number | null }>(
    "SELECT max(refused_before) AS at FROM accounts WHERE former_identity = ?",
    [hashOf(identity)],
  );
  if (former!.at === null || former!.at === row!.refusedBefore) return row!;
  await tx.run("UPDATE accounts SET refused_before = ? WHERE pk = ?", [former!.at, row!.pk]);
  return { ...row!, refusedBefore: former!.at };
}

function hashOf({ issuer, subject }: Pick<Identity, "issuer" | "subject">): string {
  return sha256(JSON.stringify([issuer, subject]));
}

/** Returns undefined if the account was deleted. */
export async function lockAccount(
  tx: Transaction,
  pk: number,
): Promise<(StoredAccount & Identity) | undefined> {
  await tx.lock("accounts", "pk", [pk]);
  return tx.get(`SELECT ${COLUMNS}, issuer, subject FROM accounts WHERE pk = ? AND deleted_at IS NULL`, [pk]);
}

/** Suspends an account, or restores it if `at` is null. Returns whether anything changed. */
export async function setAccountSuspended(tx: Transaction, pk: number, at: number | null): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE accounts SET suspended_at = ? WHERE pk = ? AND suspended_at IS ${at === null ? "NOT NULL" : "NULL"}`,
    [at, pk],
  );
  return changes > 0;
}

/** Does nothing if the account was deleted. */
export async function setApprovalMails(
  tx: Transaction,
  { pk, approvalMails }: Pick<StoredAccount, "pk" | "approvalMails">,
): Promise<void> {
  await tx.run("UPDATE accounts SET approval_mails = ? WHERE pk = ? AND deleted_at IS NULL", [
    approvalMails,
    pk,
  ]);
}

/**
 * Marks an account as deleted. The row stays, because handles and audit entries refer to it, but the data
 * about the human is erased. Only a hash of issuer and subject is kept for {@link FORMER_IDENTITY_TTL_MS}.
 * @param refusedBefore a human who signed in before this time gets no new account
 */
export async function markDeleted(
  tx: Transaction,
  account: StoredAccount & Identity,
  { at, refusedBefore }: { at: number; refusedBefore: number },
): Promise<void> {
  await tx.run(
    `UPDATE accounts SET issuer = '', subject = id, email = '', approval_mails = 0, deleted_at = ?, former_identity = ?, refused_before = ?
     WHERE pk = ?`,
    [at, hashOf(account), refusedBefore, account.pk],
  );
}

/**
 * How long the hash of a deleted account's identity is kept. Most ID tokens expire sooner, so an ID token
 * from before the deletion cannot create a new account.
 */
const FORMER_IDENTITY_TTL_MS = 30 * DAY;

export async function forgetFormerIdentities(tx: Transaction, at: number, limit: number): Promise<number> {
  const { changes } = await tx.run(
    `UPDATE accounts SET former_identity = NULL WHERE pk IN
       (SELECT pk FROM accounts WHERE former_identity IS NOT NULL AND deleted_at <= ? LIMIT ?)`,
    [at - FORMER_IDENTITY_TTL_MS, limit],
  );
  return changes;
}
