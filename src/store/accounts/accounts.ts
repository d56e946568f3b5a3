/** Accounts of humans: one for each (`iss`, `sub`) (decisions, section 10). */
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

/** Creates the account on its first call, and takes over a changed e-mail (specification, section 2.4). */
export async function saveAccount(
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
