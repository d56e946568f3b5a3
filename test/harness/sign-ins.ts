/** Sign-ins that the human of an external issuer made without the pages of the authorization server. */
import { randomUUID } from "node:crypto";
import type { TestDaemon } from "./daemon.js";
import { withDatabase } from "./database.js";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Stores a live sign-in at the console of the human with this name. Returns its id. */
export async function addSignIn({ dataDir, issuer }: TestDaemon, name: string): Promise<string> {
  const [id, at] = [randomUUID(), Date.now()];
  await withDatabase(dataDir, (db) =>
    db.run(
      `INSERT INTO sign_ins (id, human, grant_id, client_id, created_at, last_used_at, expires_at)
       VALUES (?, ?, ?, 'wireroom-console', ?, ?, ?)`,
      ...[id, JSON.stringify([issuer.url, name]), randomUUID(), at, at, at + DAY_MS],
    ),
  );
  return id;
}
