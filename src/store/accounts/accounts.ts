/** Accounts of humans, identified by the issuer and subject of their ID token (docs/specification/identity.md#id-tokens). */
import type { Account } from "../../contract/shapes.js";
import type { Session, Transaction } from "../engine/engine.js";

export interface StoredAccount extends Account {
  pk: number;
}

export interface Identity {
  issuer: string;
  subject: string;
  email: string;
}

const COLUMNS = "pk, id, email";

export function findAccount(session: Session, identity: Identity): Promise<StoredAccount | undefined> {
  return session.get(`SELECT ${COLUMNS} FROM accounts WHERE issuer = ? AND subject = ?`, [
    identity.issuer,
    identity.subject,
  ]);
}

/**
 * Creates the account of an identity at its first request. Later calls update the e-mail address
 * (docs/specification/identity.md#id-tokens).
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
  return row!;
}
