import type { Engine, Transaction } from "../engine/engine.js";
import { endGrant, extendGrant, keepGrant, lockVersion, recordSignIn, type SignInInput } from "./sign-ins.js";

/** Stores applications of the identity provider: their registrations and their refresh tokens. */
export function identityApplications(engine: Engine) {
  return {
    /**
     * Stores a client's registration. If there are already `maxInAll` registrations, deletes the oldest one
     * without a connection. Returns false if every registration has a connection.
     */
    async addClient(client: {
      id: string;
      payload: string;
      expiresAt: number;
      maxInAll: number;
    }): Promise<boolean> {
      const { id, payload, expiresAt, maxInAll } = client;
      return engine.write(async (tx) => {
        await tx.lock("identity_throttles", "id", ["clients"]);
        const stored = await tx.get<{ count: number }>(
          "SELECT count(*) AS count FROM identity_records WHERE model = 'Client'",
        );
        if (stored!.count >= maxInAll) {
          const { changes } = await tx.run(
            `DELETE FROM identity_records WHERE model = 'Client' AND id IN (
               SELECT id FROM identity_records WHERE model = 'Client'
                 AND id NOT IN (SELECT client_id FROM connections WHERE ended_at IS NULL)
               ORDER BY id LIMIT ?)`,
            [stored!.count - maxInAll + 1],
          );
          if (changes === 0) return false;
        }
        await storeRecord(tx, {
          ...{ model: "Client", id, payload, human: null, grantId: null, userCode: null, uid: null },
          ...{ consumedAt: null, expiresAt },
        });
        return true;
      });
    },

    /** Never moves the expiry to an earlier time. */
    async extendRecord(model: string, id: string, expiresAt: number): Promise<void> {
      await engine.write((tx) =>
        tx.run("UPDATE identity_records SET expires_at = ? WHERE model = ? AND id = ? AND expires_at < ?", [
          expiresAt,
          model,
          id,
          expiresAt,
        ]),
      );
    },

    /**
     * Stores a refresh token, and extends its grant to the token's expiry. Returns false if the grant or the
     * sign-in has ended, or if `previousId` is not the refresh token that was used last.
     */
    async addRefreshToken({ record, previousId, signIn, now }: NewRefreshToken): Promise<boolean> {
      const { grantId, expiresAt } = record;
      return engine.write(async (tx) => {
        await lockGrant(tx, grantId);
        const presentVersion = signIn && (await lockVersion(tx, signIn));
        const isLive =
          (await extendGrant(tx, grantId, expiresAt)) &&
          (!signIn || (await recordSignIn(tx, grantId, signIn, { presentVersion, now, expiresAt })));
        if (!isLive) {
          // End the grant, so that its other tokens stop working.
          await endGrant(tx, grantId, now);
          return false;
        }
        if (previousId !== undefined) {
          const previous = await tx.get<{ consumedAt: number | null }>(
            `SELECT consumed_at AS "consumedAt" FROM identity_records WHERE model = 'RefreshToken' AND id = ?`,
            [previousId],
          );
          if (!previous || previous.consumedAt !== (await lastUse(tx, grantId))) return false;
        }
        await storeRecord(tx, record);
        // The versions differ if the human ended all other sign-ins while this sign-in was being renewed.
        if (presentVersion !== undefined && presentVersion !== signIn!.version)
          await keepGrant(tx, signIn!.human, grantId, presentVersion);
        return true;
      });
    },

    /**
     * Marks a refresh token, and all unused refresh tokens of its grant, as used. Returns false if the token
     * was used before.
     */
    async consumeRefreshToken(token: {
      id: string;
      grantId: string;
      now: number;
      keptUntil: number;
    }): Promise<boolean> {
      const { id, grantId, now, keptUntil } = token;
      const consume = (tx: Transaction, where: string, values: string[]) =>
        tx.run(
          `UPDATE identity_records SET consumed_at = ?, expires_at = ?
           WHERE model = 'RefreshToken' AND consumed_at IS NULL AND ${where}`,
          [now, keptUntil, ...values],
        );
      return engine.write(async (tx) => {
        await lockGrant(tx, grantId);
        const { changes } = await consume(tx, "id = ?", [id]);
        if (changes > 0) await consume(tx, "grant_id = ?", [grantId]);
        return changes > 0;
      });
    },

    /** In milliseconds since 1970; null if no refresh token of the grant was used. */
    lastRefreshTokenUse(grantId: string): Promise<number | null> {
      return lastUse(engine.reader, grantId);
    },
  };
}

/** A record of the OpenID provider: a token, code, grant, session, interaction or client. */
export interface ProviderRecord {
  model: string;
  id: string;
  payload: string;
  /** Key of the human to whom the record belongs; see `Humans.keyOf`. */
  human: string | null;
  grantId: string | null;
  userCode: string | null;
  uid: string | null;
  consumedAt: number | null;
  expiresAt: number;
}

interface NewRefreshToken {
  record: ProviderRecord & { grantId: string };
  /**
   * Id of the refresh token that this one replaces, which must be the last one used. If undefined, this is
   * not checked.
   */
  previousId: string | undefined;
  /** Undefined for an application, which is a client that is not part of Wireroom. */
  signIn: SignInInput | undefined;
  now: number;
}

/** Prevents other daemons from using the grant's refresh tokens until the transaction ends. */
async function lockGrant(tx: Transaction, grantId: string): Promise<void> {
  await tx.lock("identity_throttles", "id", [`grant:${grantId}`]);
}

async function lastUse(session: Pick<Transaction, "get">, grantId: string): Promise<number | null> {
  const row = await session.get<{ at: number | null }>(
    "SELECT max(consumed_at) AS at FROM identity_records WHERE model = 'RefreshToken' AND grant_id = ?",
    [grantId],
  );
  return row!.at;
}

/** Stores a record, or replaces the one with the same model and id. */
export async function storeRecord(tx: Transaction, record: ProviderRecord): Promise<void> {
  const { model, id, payload, human, grantId, userCode, uid, consumedAt, expiresAt } = record;
  await tx.run(
    `INSERT INTO identity_records (model, id, payload, human, grant_id, user_code, uid, consumed_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, human = excluded.human,
       grant_id = excluded.grant_id, user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`,
    [model, id, payload, human, grantId, userCode, uid, consumedAt, expiresAt],
  );
}
