/** API keys: only the hash and the display prefix are ever stored (specification, section 2.9). */
import type { ApiKey } from "../../contract/operations/dashboard.js";
import { isoTime, isoTimeOrNull } from "../../kernel/clock.js";
import type { BatchedRead, Session, Transaction } from "../engine/engine.js";
import { RowsOf, written } from "../engine/sql.js";

/** What a key stands for. */
export interface KeyHolder {
  keyPk: number;
  /** Milliseconds since 1970, or null where the key lives until revoked. */
  expiresAt: number | null;
  /** Whether its handle is suspended. */
  suspended: boolean;
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

const HASHES = new RowsOf({ i: "integer", hash: "text" });
const SELECT_HOLDERS = written(
  (engine) => `
  SELECT wanted.i, k.pk AS key_pk, k.expires_at, h.suspended_at, h.pk AS handle_pk, h.id AS handle_id, h.slug,
    a.pk AS account_pk, a.id AS account_id
  FROM ${HASHES.as(engine, "wanted")}
  JOIN api_keys k ON k.hash = wanted.hash AND k.revoked_at IS NULL
  JOIN handles h ON h.pk = k.handle JOIN accounts a ON a.pk = h.account`,
);

/** Who holds the keys of these hashes; `undefined` for one that is unknown or revoked. */
export const keyHolders: BatchedRead<string, KeyHolder | undefined> = {
  async run(session, hashes) {
    const wanted = HASHES.bind(hashes.map((hash, i) => [i, hash]));
    const rows = await session.all<HolderRow>(SELECT_HOLDERS, [wanted]);
    const holders: (KeyHolder | undefined)[] = hashes.map(() => undefined);
    for (const row of rows) {
      holders[row.i] = {
        keyPk: row.key_pk,
        expiresAt: row.expires_at,
        suspended: row.suspended_at !== null,
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

/** The key of an id, with the account that owns its handle. */
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

/** A key as GET /keys shows it: never the key itself. */
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

/** Keys of an account's handles, newest first. */
export async function keysOfAccount(session: Session, account: number) {
  const rows = await session.all<ApiKeyRow>(
    `SELECT ${API_KEY_COLUMNS} FROM handles h JOIN api_keys k ON k.handle = h.pk
     WHERE h.account = ? ORDER BY k.pk DESC`,
    [account],
  );
  return rows.map(toApiKey);
}

const USES = new RowsOf({ pk: "integer", at: "integer" });
const TOUCH = written(
  (engine) => `
  UPDATE api_keys SET last_used_at = used.at FROM ${USES.as(engine, "used")}
  WHERE api_keys.pk = used.pk AND (last_used_at IS NULL OR last_used_at < used.at)`,
);

/** Records when keys were last used: pairs of key and time. A later time that is known already stands. */
export async function touchKeys(
  tx: Transaction,
  uses: readonly (readonly [pk: number, at: number])[],
): Promise<void> {
  await tx.run(TOUCH, [USES.bind(uses)]);
}
