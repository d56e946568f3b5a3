/** Connections that a client got without the pages of the authorization server. */
import { createHash, randomUUID } from "node:crypto";
import { newAccessToken } from "../../src/kernel/ids.js";
import type { TestDaemon } from "./daemon.js";
import { withDatabase } from "./database.js";

const HOUR_MS = 60 * 60 * 1_000;

export interface TestConnection {
  id: string;
  /** The access token of the connection. */
  token: string;
}

/** Stores a live connection of a client to a handle, with an access token. */
export function addConnection(
  { dataDir }: TestDaemon,
  slug: string,
  clientName?: string,
): Promise<TestConnection> {
  return withDatabase(dataDir, (db) =>
    insertConnection((sql, params) => db.run(sql, ...params), slug, clientName),
  );
}

/** Inserts the rows of a connection. @param run runs a statement on the database */
export async function insertConnection(
  run: (sql: string, params: string[]) => Promise<unknown>,
  slug: string,
  clientName = "Test Host",
): Promise<TestConnection> {
  const [id, grantId, token, at] = [randomUUID(), randomUUID(), newAccessToken(), Date.now()];
  await run(
    `INSERT INTO connections (id, handle, grant_id, client_id, client_name, created_at, issued_at)
     SELECT ?, pk, ?, 'https://host.example/client.json', ?, ${at}, ${at} FROM handles WHERE slug = ?`,
    [id, grantId, clientName, slug],
  );
  await run(
    `INSERT INTO access_tokens (hash, handle, connection, created_at, expires_at)
     SELECT ?, handle, pk, ${at}, ${at + HOUR_MS} FROM connections WHERE id = ?`,
    [createHash("sha256").update(token).digest("base64url"), id],
  );
  return { id, token };
}
