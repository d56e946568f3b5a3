/**
 * Stores API keys: only the hash and the display prefix of each key
 * (docs/specification/dashboard-operations.md#api-keys).
 */
import type { ApiKey } from "../../contract/operations/dashboard.js";
import { isoTime, isoTimeOrNull } from "../../kernel/clock.js";
import type { BatchedRead, Session, Transaction } from "../engine/engine.js";
import { perEngine, RowsParameter } from "../engine/sql.js";

/** The handle and the account that an API key or access token stands for. */
export interface CredentialHolder {
  /** Primary key of the API key or access token. */
  pk: number;
  /** Milliseconds since 1970; null if the credential does not expire. */
  expiresAt: number | null;
  isSuspended: boolean;
  handle: { pk: number; id: string; slug: string };
  account: { pk: number; id: string };
}

interface HolderRow {
  i: number;
  key_pk: number;
  expires_at: number | null;
  suspended_at: number | null;
  handle_pk: number;
  handle_id: string;
  slug: string;
  account_pk: number;
  account_id: string;
}

const HASHES = new RowsParameter({ i: "integer", hash: "text" });
const SELECT_HOLDERS = perEngine(
  (engine) => `
  SELECT wanted.i, k.pk AS key_pk, k.expires_at, h.suspended_at, h.pk AS handle_pk, h.id AS handle_id, h.slug,
    a.pk AS account_pk, a.id AS account_id
  FROM ${HASHES.table(engine, "wanted")}
  JOIN api_keys k ON k.hash = wanted.hash AND k.revoked_at IS NULL
  JOIN handles h ON h.pk = k.handle JOIN accounts a ON a.pk = h.account`,
);

/** Looks up API keys by their hash. The result is `undefined` for an unknown or revoked key. */
export const keyHolders: BatchedRead<string, CredentialHolder | undefined> = {
  async run(session, hashes) {
    const wanted = HASHES.bind(hashes.map((hash, i) => [i, hash]));
    const rows = await session.all<HolderRow>(SELECT_HOLDERS, [wanted]);
    const holders: (CredentialHolder | undefined)[] = hashes.map(() => undefined);
    for (const row of rows) {
      holders[row.i] = {
        pk: row.key_pk,
        expiresAt: row.expires_at,
        isSuspended: row.suspended_at !== null,
        handle: { pk: row.handle_pk, id: row.handle_id, slug: row.slug },
        account: { pk: row.account_pk, id: row.account_id },
      };
    }
    return holders;
  },
};

export async function insertKey(
  tx: Transaction,
  key: {
    id: string;
    handle: number;
    hash: string;
    prefix: string;
    createdAt: number;
    expiresAt: number | null;
  },
): Promise<void> {
  await tx.run(
    "INSERT INTO api_keys (id, handle, hash, prefix, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
    [key.id, key.handle, key.hash, key.prefix, key.createdAt, key.expiresAt],
  );
}

export function keyById(
  session: Session,
  id: string,
): Promise<
  { pk: number; account: number; handle: number; hash: string; revoked_at: number | null } | undefined
> {
  return session.get(
    `SELECT k.pk, h.account, k.handle, k.hash, k.revoked_at FROM api_keys k JOIN handles h ON h.pk = k.handle WHERE k.id = ?`,
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
  handle_id: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
  expires_at: number | null;
}

export const API_KEY_COLUMNS =
  "k.pk, k.id, k.prefix, h.id AS handle_id, k.created_at, k.last_used_at, k.revoked_at, k.expires_at";

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

/** Returns up to `limit` API keys of all handles of an account before a primary key, newest first. */
export async function keysOfAccount(session: Session, account: number, before: number, limit: number) {
  const rows = await session.all<ApiKeyRow>(
    `SELECT ${API_KEY_COLUMNS} FROM handles h JOIN api_keys k ON k.handle = h.pk
     WHERE h.account = ? AND k.pk < ? ORDER BY k.pk DESC LIMIT ?`,
    [account, before, limit],
  );
  return rows.map(toApiKey);
}

const USES = new RowsParameter({ pk: "integer", at: "integer" });
const UPDATE_LAST_USED = perEngine(
  (engine) => `
  UPDATE api_keys SET last_used_at = used.at FROM ${USES.table(engine, "used")}
  WHERE api_keys.pk = used.pk AND (last_used_at IS NULL OR last_used_at < used.at)`,
);

/** Stores when API keys were last used, unless a later time is already stored. */
export async function updateLastUsed(
  tx: Transaction,
  uses: readonly (readonly [pk: number, at: number])[],
): Promise<void> {
  await tx.run(UPDATE_LAST_USED, [USES.bind(uses)]);
}
