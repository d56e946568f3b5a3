/**
 * Stores connections. A connection lets a client act for a handle with a human's approval
 * (docs/specification/identity.md#access-tokens).
 */
import type { Connection } from "../../contract/operations/connections.js";
import { DAY, HOUR, isoTime, isoTimeOrNull } from "../../kernel/clock.js";
import type { Session, Transaction } from "../engine/engine.js";
import { numberedIntegers } from "../engine/sql.js";
import { deleteGrants, deletionOfGrants, lastUsedUpdate } from "./credentials.js";
import { ofHandles } from "./handles.js";

/** A connection ends after this time without a call and without a new access token. */
const IDLE_TTL_MS = 90 * DAY;
/** An approval is deleted after this time if the client has not redeemed its code. Codes expire sooner. */
const REDEMPTION_TTL_MS = HOUR;
/** An ended connection is kept as long as audit entries, so that revoking it again succeeds. */
const ENDED_TTL_MS = 400 * DAY;

/** SQL condition for a live connection `c`. {@link liveParams} returns its two parameters. */
const IS_LIVE = "c.ended_at IS NULL AND c.issued_at IS NOT NULL AND (c.issued_at > ? OR c.last_used_at > ?)";

function liveParams(at: number): [number, number] {
  return [at - IDLE_TTL_MS, at - IDLE_TTL_MS];
}

export interface StoredConnection {
  pk: number;
  id: string;
  handle: number;
  slug: string;
  account: number;
  client_name: string;
}

const SELECT_CONNECTION = `SELECT c.pk, c.id, c.handle, h.slug, h.account, c.client_name FROM connections c
  JOIN handles h ON h.pk = c.handle`;

export function connectionById(session: Session, id: string): Promise<StoredConnection | undefined> {
  return session.get(`${SELECT_CONNECTION} WHERE c.id = ?`, [id]);
}

export function connectionByGrant(session: Session, grantId: string): Promise<StoredConnection | undefined> {
  return session.get(`${SELECT_CONNECTION} WHERE c.grant_id = ?`, [grantId]);
}

export async function isConnectionLive(session: Session, grantId: string, at: number): Promise<boolean> {
  const live = await session.get(`SELECT 1 AS found FROM connections c WHERE c.grant_id = ? AND ${IS_LIVE}`, [
    grantId,
    ...liveParams(at),
  ]);
  return live !== undefined;
}

export async function insertConnection(
  tx: Transaction,
  connection: {
    id: string;
    handle: number;
    grantId: string;
    clientId: string;
    clientName: string;
    createdAt: number;
  },
): Promise<boolean> {
  const { id, handle, grantId, clientId, clientName, createdAt } = connection;
  const { changes } = await tx.run(
    `INSERT INTO connections (id, handle, grant_id, client_id, client_name, created_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (grant_id) DO NOTHING`,
    [id, handle, grantId, clientId, clientName, createdAt],
  );
  return changes > 0;
}

/**
 * Records that a connection receives an access token. Returns whether it is the connection's first token, or
 * undefined if the connection is unknown or has ended.
 */
export async function recordIssue(
  tx: Transaction,
  grantId: string,
  at: number,
): Promise<"first" | "later" | undefined> {
  const first = await tx.run(
    "UPDATE connections SET issued_at = ? WHERE grant_id = ? AND issued_at IS NULL AND ended_at IS NULL",
    [at, grantId],
  );
  if (first.changes > 0) return "first";
  const later = await tx.run(
    `UPDATE connections SET issued_at = ? WHERE pk IN (SELECT c.pk FROM connections c WHERE c.grant_id = ? AND ${IS_LIVE})`,
    [at, grantId, ...liveParams(at)],
  );
  return later.changes > 0 ? "later" : undefined;
}

/** Ends a connection and deletes its grant. Returns whether the connection was live before. */
export async function endConnection(tx: Transaction, pk: number, at: number): Promise<boolean> {
  await deleteGrants(tx, "SELECT grant_id FROM connections WHERE pk = ?", [pk]);
  const { changes } = await tx.run(
    `UPDATE connections SET ended_at = ? WHERE pk IN (SELECT c.pk FROM connections c WHERE c.pk = ? AND ${IS_LIVE})`,
    [at, pk, ...liveParams(at)],
  );
  if (changes > 0) return true;
  await tx.run("UPDATE connections SET ended_at = ? WHERE pk = ? AND ended_at IS NULL", [at, pk]);
  return false;
}

const LIVE_OF_HANDLES = ofHandles(
  (handles) => `${SELECT_CONNECTION} WHERE c.handle IN ${handles} AND ${IS_LIVE} ORDER BY c.pk`,
);
const END_OF_HANDLES = ofHandles(
  (handles) => `UPDATE connections SET ended_at = ? WHERE handle IN ${handles} AND ended_at IS NULL`,
);
const DELETE_GRANTS_OF_HANDLES = [0, 1].map((n) =>
  ofHandles((handles) => deletionOfGrants(`SELECT grant_id FROM connections WHERE handle IN ${handles}`)[n]!),
);

/** Ends all connections of the handles. Returns those that were live, oldest first. */
export async function endConnectionsOfHandles(
  tx: Transaction,
  handles: readonly number[],
  at: number,
): Promise<StoredConnection[]> {
  const pks = numberedIntegers(handles);
  const live = await tx.all<StoredConnection>(LIVE_OF_HANDLES, [pks, ...liveParams(at)]);
  for (const sql of DELETE_GRANTS_OF_HANDLES) await tx.run(sql, [pks]);
  await tx.run(END_OF_HANDLES, [at, pks]);
  return live;
}

interface ConnectionRow extends Omit<Connection, "created_at" | "last_used_at"> {
  pk: number;
  created_at: number;
  last_used_at: number | null;
}

const CONNECTION_COLUMNS =
  "c.pk, c.id, h.slug AS handle, c.client_id, c.client_name, c.created_at, c.last_used_at";

function toConnection({ pk, ...row }: ConnectionRow): { pk: number; resource: Connection } {
  const resource = {
    ...row,
    created_at: isoTime(row.created_at),
    last_used_at: isoTimeOrNull(row.last_used_at),
  };
  return { pk, resource };
}

export async function connectionsOfAccount(
  session: Session,
  { account, before, limit, at }: { account: number; before: number; limit: number; at: number },
) {
  const rows = await session.all<ConnectionRow>(
    `SELECT ${CONNECTION_COLUMNS} FROM handles h JOIN connections c ON c.handle = h.pk
     WHERE h.account = ? AND c.pk < ? AND ${IS_LIVE} ORDER BY c.pk DESC LIMIT ?`,
    [account, before, ...liveParams(at), limit],
  );
  return rows.map(toConnection);
}

export async function connectionsOfHandle(
  session: Session,
  { pk }: { pk: number },
  after: number,
  limit: number,
  at: number,
) {
  const rows = await session.all<ConnectionRow>(
    `SELECT ${CONNECTION_COLUMNS} FROM connections c JOIN handles h ON h.pk = c.handle
     WHERE c.handle = ? AND c.pk > ? AND ${IS_LIVE} ORDER BY c.pk LIMIT ?`,
    [pk, after, ...liveParams(at), limit],
  );
  return rows.map(toConnection);
}

export interface HandleChoice {
  slug: string;
  displayName: string | null;
  isSuspended: boolean;
  isOperator: boolean;
}

export async function handleChoices(session: Session, account: number): Promise<HandleChoice[]> {
  const rows = await session.all<{
    slug: string;
    display_name: string | null;
    suspended_at: number | null;
    operator_at: number | null;
  }>(
    `SELECT slug, display_name, suspended_at, operator_at FROM handles
     WHERE account = ? AND retired_at IS NULL ORDER BY pk`,
    [account],
  );
  return rows.map((row) => ({
    slug: row.slug,
    displayName: row.display_name,
    isSuspended: row.suspended_at !== null,
    isOperator: row.operator_at !== null,
  }));
}

export async function lastHandleOfClient(
  session: Session,
  account: number,
  clientId: string,
): Promise<string | undefined> {
  const row = await session.get<{ slug: string }>(
    `SELECT h.slug FROM handles h JOIN connections c ON c.handle = h.pk
     WHERE h.account = ? AND h.retired_at IS NULL AND c.client_id = ? ORDER BY c.pk DESC LIMIT 1`,
    [account, clientId],
  );
  return row?.slug;
}

export const updateConnectionsLastUsed = lastUsedUpdate("connections");

/**
 * Deletes connections that were never used, have expired, or ended long ago. The caller must delete expired
 * access tokens first.
 */
export async function deleteEndedConnections(tx: Transaction, at: number, limit: number): Promise<number> {
  const { changes } = await tx.run(
    `DELETE FROM connections WHERE pk IN (
       SELECT pk FROM connections WHERE ended_at <= ?
       UNION ALL SELECT pk FROM connections WHERE issued_at IS NULL AND created_at <= ?
       UNION ALL SELECT pk FROM connections WHERE ended_at IS NULL AND issued_at <= ? AND (last_used_at IS NULL OR last_used_at <= ?)
       LIMIT ?)`,
    [at - ENDED_TTL_MS, at - REDEMPTION_TTL_MS, at - IDLE_TTL_MS, at - IDLE_TTL_MS, limit],
  );
  return changes;
}
