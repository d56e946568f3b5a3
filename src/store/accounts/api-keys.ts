/**
 * Stores the hash and the display prefix of each API key
 * (docs/specification/dashboard-operations.md#api-keys).
 */
import type { ApiKey } from "../../contract/operations/dashboard.js";
import { isoTime, isoTimeOrNull } from "../../kernel/clock.js";
import type { Session, Transaction } from "../engine/engine.js";
import { sql } from "../engine/sql.js";
import { holdersByHash, lastUsedUpdate } from "./credentials.js";

export const keyHolders = holdersByHash(
  "api_keys",
  "CAST(NULL AS bigint)",
  "k.revoked_at IS NULL AND h.retired_at IS NULL",
);

export async function insertKey(
  tx: Transaction,
  key: {
    id: string;
    handle: number;
    hash: string;
    prefix: string;
    name: string | null;
    createdAt: number;
    expiresAt: number | null;
  },
): Promise<void> {
  await tx.run(
    "INSERT INTO api_keys (id, handle, hash, prefix, name, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
    [key.id, key.handle, key.hash, key.prefix, key.name, key.createdAt, key.expiresAt],
  );
}

export function keyById(
  session: Session,
  id: string,
): Promise<{ pk: number; account: number; handle: number; revoked_at: number | null } | undefined> {
  return session.get(
    `SELECT k.pk, h.account, k.handle, k.revoked_at FROM api_keys k JOIN handles h ON h.pk = k.handle WHERE k.id = ?`,
    [id],
  );
}

export async function revokeKey(tx: Transaction, pk: number, at: number): Promise<void> {
  await tx.run("UPDATE api_keys SET revoked_at = ? WHERE pk = ? AND revoked_at IS NULL", [at, pk]);
}

export interface ApiKeyRow {
  pk: number;
  id: string;
  prefix: string;
  name: string | null;
  handle_id: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
  expires_at: number | null;
}

export const API_KEY_COLUMNS =
  "k.pk, k.id, k.prefix, k.name, h.id AS handle_id, k.created_at, k.last_used_at, k.revoked_at, k.expires_at";

/** Converts a row to the resource of GET /v1/keys, which never contains the key itself. */
export function toApiKey({ pk, ...row }: ApiKeyRow): { pk: number; resource: ApiKey } {
  const resource = {
    ...row,
    created_at: isoTime(row.created_at),
    last_used_at: isoTimeOrNull(row.last_used_at),
    revoked_at: isoTimeOrNull(row.revoked_at),
    expires_at: isoTimeOrNull(row.expires_at),
  };
  return { pk, resource };
}

export async function keysOfAccount(session: Session, account: number, before: number, limit: number) {
  const rows = await session.all<ApiKeyRow>(OF_ACCOUNT, [before, limit, account, limit]);
  return rows.map(toApiKey);
}

/** Reads only the newest keys of each handle, because most keys of a handle may be revoked. */
const newest = (columns: string) =>
  `(SELECT ${columns} FROM api_keys WHERE handle = h.pk AND pk < ? ORDER BY pk DESC LIMIT ?)`;
const NEWEST_KEYS = {
  sqlite: `api_keys k ON k.pk IN ${newest("pk")}`,
  postgres: `LATERAL ${newest("*")} k ON true`,
};
const OF_ACCOUNT = sql`SELECT ${API_KEY_COLUMNS} FROM handles h JOIN ${NEWEST_KEYS}
  WHERE h.account = ? ORDER BY k.pk DESC LIMIT ?`;

export const updateLastUsed = lastUsedUpdate("api_keys");
