import { HOUR } from "../../kernel/clock.js";
import type { Engine, Session } from "../engine/engine.js";
import { approvalMails } from "./approval-mails.js";
import { identityApplications, type ProviderRecord, storeRecord } from "./identity-applications.js";
import { identityMails } from "./identity-mails.js";
import { identityRequests } from "./identity-requests.js";
import { countThrottled, countWrongCode, type Limit, shortCodesWaitMs } from "./identity-throttles.js";
import { deleteExpiredSignIns, endGrant, extendGrant, isSignedIn } from "./sign-ins.js";

/**
 * Creates the store of the embedded identity provider: secrets, users, sign-ups and password resets, mails,
 * throttles, and records of the OpenID provider. Times are milliseconds since 1970. The caller normalises
 * e-mail addresses, and hashes passwords and codes.
 */
export function identityStore(engine: Engine) {
  const { reader } = engine;
  const requests = identityRequests(engine);

  return {
    ...requests,
    ...identityMails(engine),
    ...approvalMails(engine),
    ...identityApplications(engine),

    async getOrCreateSecret(name: string, create: () => Promise<string>, now: number): Promise<string> {
      const find = "SELECT value FROM identity_secrets WHERE name = ?";
      const known = await reader.get<{ value: string }>(find, [name]);
      if (known) return known.value;
      const value = await create();
      return engine.write(async (tx) => {
        // If two daemons start at the same time, both use the secret that was stored first.
        await tx.run(
          "INSERT INTO identity_secrets (name, value, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING",
          [name, value, now],
        );
        const row = await tx.get<{ value: string }>(find, [name]);
        return row?.value ?? value;
      });
    },

    userByEmail(email: string): Promise<User | undefined> {
      return reader.get<User>(`${SELECT_USER} WHERE email = ?`, [email]);
    },

    userById(id: string): Promise<User | undefined> {
      return reader.get<User>(`${SELECT_USER} WHERE id = ?`, [id]);
    },

    /** Returns the user who has, or had, an address at `localhost`. Creates a new user without a password. */
    getOrCreateLocalUser(email: string, id: string, now: number): Promise<User> {
      const find = (tx: Session) =>
        tx.get<User>(`${SELECT_USER} WHERE email = ? OR local_email = ?`, [email, email]);
      return engine.write(async (tx) => {
        const known = await find(tx);
        if (known) return known;
        await tx.run(
          `INSERT INTO identity_users (id, email, password_hash, created_at) VALUES (?, ?, '', ?)
           ON CONFLICT (email) DO NOTHING`,
          [id, email, now],
        );
        return (await find(tx))!;
      });
    },

    /**
     * Counts an event, unless a limit is reached. Returns 0 if the event is allowed, otherwise the
     * milliseconds until it is allowed.
     * @param count if false, only checks the limits
     */
    throttle(id: string, limits: readonly Limit[], now: number, count = true): Promise<number> {
      return engine.write((tx) => countThrottled(tx, { id, limits }, now, count));
    },

    async countWrongCode(email: string, now: number): Promise<void> {
      await engine.write((tx) => countWrongCode(tx, email, now));
    },

    async needsLongCode(email: string, now: number): Promise<boolean> {
      return (await shortCodesWaitMs(reader, email, now)) > 0;
    },

    async resetThrottle(id: string): Promise<void> {
      await engine.write((tx) => tx.run("DELETE FROM identity_throttles WHERE id = ?", [id]));
    },

    /** Does nothing for an access token whose grant has ended. */
    async saveRecord(record: ProviderRecord): Promise<void> {
      const { model, grantId, expiresAt } = record;
      await engine.write(async (tx) => {
        // oidc-provider stores an access token after its refresh token; the grant may have ended in between.
        if (model === "AccessToken" && grantId !== null && !(await extendGrant(tx, grantId, expiresAt)))
          return;
        await storeRecord(tx, record);
      });
    },

    findRecord(
      model: string,
      by: { id?: string; userCode?: string; uid?: string },
    ): Promise<ProviderRecord | undefined> {
      const select = `SELECT model, id, payload, human, grant_id AS "grantId", user_code AS "userCode", uid,
        consumed_at AS "consumedAt", expires_at AS "expiresAt" FROM identity_records WHERE model = ? AND`;
      if (by.userCode !== undefined) return reader.get(`${select} user_code = ?`, [model, by.userCode]);
      if (by.uid !== undefined) return reader.get(`${select} uid = ?`, [model, by.uid]);
      return reader.get(`${select} id = ?`, [model, by.id ?? ""]);
    },

    isSignedIn(grantId: string, now: number): Promise<boolean> {
      return isSignedIn(reader, grantId, now);
    },

    /** Only one of two concurrent calls returns true. */
    async consumeRecord(model: string, id: string, now: number): Promise<boolean> {
      const { changes } = await engine.write((tx) =>
        tx.run(
          "UPDATE identity_records SET consumed_at = ? WHERE model = ? AND id = ? AND consumed_at IS NULL",
          [now, model, id],
        ),
      );
      return changes > 0;
    },

    async deleteRecord(model: string, id: string): Promise<void> {
      await engine.write((tx) =>
        tx.run("DELETE FROM identity_records WHERE model = ? AND id = ?", [model, id]),
      );
    },

    async endGrant(grantId: string, now: number): Promise<void> {
      await engine.write((tx) => endGrant(tx, grantId, now));
    },

    async purge(now: number): Promise<void> {
      await requests.purgeRequests(now);
      await engine.write((tx) => tx.run("DELETE FROM identity_throttles WHERE expires_at <= ?", [now]));
      await engine.write((tx) => deleteExpiredSignIns(tx, now));
      // Each transaction deletes only a few rows, so that other writers do not wait long.
      for (const [condition, time] of [
        ["expires_at <= ?", now],
        [USED_REFRESH_TOKENS, now - USED_TTL_MS],
      ] as const) {
        const rows = `SELECT model, id FROM identity_records WHERE ${condition} LIMIT ${PURGE_BATCH_SIZE}`;
        const sql = `DELETE FROM identity_records WHERE (model, id) IN (${rows})`;
        while ((await engine.write((tx) => tx.run(sql, [time]))).changes === PURGE_BATCH_SIZE);
      }
    },
  };
}

export type IdentityStore = ReturnType<typeof identityStore>;

export interface User {
  id: string;
  email: string;
  /** Empty if the human signs in on this machine without a password. */
  passwordHash: string;
  /** Incremented when the human ends all other sign-ins. Tokens with an older version are void. */
  version: number;
}

const SELECT_USER = `SELECT id, email, password_hash AS "passwordHash", version FROM identity_users`;
const PURGE_BATCH_SIZE = 200;
/**
 * Used refresh tokens without a connection. A connection's used tokens are kept, because the connection must
 * end if one of them is used again.
 */
const USED_REFRESH_TOKENS = `model = 'RefreshToken' AND consumed_at <= ?
  AND NOT EXISTS (SELECT 1 FROM connections c WHERE c.grant_id = identity_records.grant_id)`;
/**
 * A used refresh token is kept for this time, because its sign-in must end if the token is used again
 * (docs/specification/identity.md#sign-in). It is deleted within a day of its use.
 */
const USED_TTL_MS = 23 * HOUR;
