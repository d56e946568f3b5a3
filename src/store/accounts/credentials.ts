/** Code that API keys, access tokens, connections and sign-ins share. */
import type { BatchedRead, Transaction } from "../engine/engine.js";
import { RowsParameter, sql } from "../engine/sql.js";

export interface CredentialHolder {
  pk: number;
  /** In milliseconds since 1970; null if the credential does not expire. */
  expiresAt: number | null;
  isSuspended: boolean;
  /** The connection that an access token belongs to; null for other credentials. */
  connection: number | null;
  handle: { pk: number; id: string; slug: string };
  account: { pk: number; id: string };
}

interface HolderRow {
  i: number;
  pk: number;
  expires_at: number | null;
  connection: number | null;
  suspended_at: number | null;
  handle_pk: number;
  handle_id: string;
  slug: string;
  account_pk: number;
  account_id: string;
}

const HASHES = new RowsParameter({ i: "integer", hash: "text" });

/** @param where SQL condition that a credential `k` and its handle `h` must meet */
export function holdersByHash(
  table: string,
  connection: string,
  where: string,
): BatchedRead<string, CredentialHolder | undefined> {
  const select = sql`
    SELECT wanted.i, k.pk, k.expires_at, h.suspended_at, h.pk AS handle_pk, h.id AS handle_id, h.slug,
      a.pk AS account_pk, a.id AS account_id, ${connection} AS connection
    FROM ${HASHES.table("wanted")} JOIN ${table} k ON k.hash = wanted.hash
    JOIN handles h ON h.pk = k.handle JOIN accounts a ON a.pk = h.account WHERE ${where}`;
  return {
    async run(session, hashes) {
      const wanted = HASHES.bind(hashes.map((hash, i) => [i, hash]));
      const holders: (CredentialHolder | undefined)[] = hashes.map(() => undefined);
      for (const row of await session.all<HolderRow>(select, [wanted])) {
        holders[row.i] = {
          pk: row.pk,
          expiresAt: row.expires_at,
          isSuspended: row.suspended_at !== null,
          handle: { pk: row.handle_pk, id: row.handle_id, slug: row.slug },
          account: { pk: row.account_pk, id: row.account_id },
          connection: row.connection,
        };
      }
      return holders;
    },
  };
}

const USES = new RowsParameter({ pk: "integer", at: "integer" });

/** Never replaces a later time. */
export function lastUsedUpdate(table: "api_keys" | "connections") {
  const update = sql`
    UPDATE ${table} SET last_used_at = used.at FROM ${USES.table("used")}
    WHERE ${table}.pk = used.pk AND (last_used_at IS NULL OR last_used_at < used.at)`;
  return async (tx: Transaction, uses: readonly (readonly [pk: number, at: number])[]): Promise<void> => {
    await tx.run(update, [USES.bind(uses)]);
  };
}

/**
 * Deletes grants with their codes and refresh tokens.
 * @param grants SQL expression for the grants' ids; `params` are its parameters
 */
export async function deleteGrants(
  tx: Transaction,
  grants: string,
  params: readonly (string | number)[],
): Promise<void> {
  for (const sql of deletionOfGrants(grants)) await tx.run(sql, params);
}

/** Returns the statements of `deleteGrants`. */
export function deletionOfGrants(grants: string): [string, string] {
  return [
    // Delete the grant first, because a transaction that stores a refresh token also locks the grant first.
    `DELETE FROM identity_records WHERE model = 'Grant' AND id IN (${grants})`,
    `DELETE FROM identity_records WHERE grant_id IN (${grants})`,
  ];
}
