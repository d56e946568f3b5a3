import { DAY } from "../../kernel/clock.js";
import type { Engine, Transaction } from "../engine/engine.js";

/**
 * All SQL of human accounts: the embedded provider's secrets, users, sign-ups, throttles and records. Times are
 * milliseconds since 1970; addresses come normalized, secrets come hashed.
 */
export function identityStore(engine: Engine) {
  const { reader } = engine;

  return {
    async secret(name: string, fresh: () => Promise<string>, now: number): Promise<string> {
      const find = "SELECT value FROM identity_secrets WHERE name = ?";
      const known = await reader.get<{ value: string }>(find, [name]);
      if (known) return known.value;
      const value = await fresh();
      return engine.write(async (tx) => {
        // Of two daemons that start at once the first one's secret stands.
        await tx.run(
          "INSERT INTO identity_secrets (name, value, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING",
          [name, value, now],
        );
        const row = await tx.get<{ value: string }>(find, [name]);
        return row?.value ?? value;
      });
    },

    userByEmail(email: string): Promise<UserRow | undefined> {
      return reader.get<UserRow>(`${SELECT_USER} WHERE email = ?`, [email]);
    },

    userById(id: string): Promise<UserRow | undefined> {
      return reader.get<UserRow>(`${SELECT_USER} WHERE id = ?`, [id]);
    },

    holdSignUp(signUp: SignUpInput): Promise<"held" | "account exists"> {
      return engine.write(async (tx) => {
        if (await tx.get("SELECT id FROM identity_users WHERE email = ?", [signUp.email]))
          return "account exists";
        await tx.run(
          `INSERT INTO identity_sign_ups (email, password_hash, code_hash, tries, created_at, expires_at)
           VALUES (?, ?, ?, 0, ?, ?)
           ON CONFLICT (email) DO UPDATE SET password_hash = excluded.password_hash, code_hash = excluded.code_hash,
             tries = 0, created_at = excluded.created_at, expires_at = excluded.expires_at`,
          [signUp.email, signUp.passwordHash, signUp.codeHash, signUp.now, signUp.expiresAt],
        );
        return "held";
      });
    },

    renewCode(email: string, codeHash: string, expiresAt: number, now: number): Promise<boolean> {
      return engine.write(async (tx) => {
        // A sign-up may be resumed for a day after its first code has run out.
        const { changes } = await tx.run(
          "UPDATE identity_sign_ups SET code_hash = ?, tries = 0, expires_at = ? WHERE email = ? AND expires_at > ?",
          [codeHash, expiresAt, email, now - SIGN_UP_KEPT],
        );
        return changes > 0;
      });
    },

    confirm(input: ConfirmInput): Promise<boolean> {
      return engine.write((tx) => confirmIn(tx, input));
    },

    throttle(id: string, limits: readonly LimitInput[], now: number, count = true): Promise<number> {
      return engine.write(async (tx) => {
        await tx.lock("identity_throttles", "id", [id]);
        const kept = Math.max(...limits.map(({ window }) => window));
        const row = await tx.get<{ times: string }>("SELECT times FROM identity_throttles WHERE id = ?", [
          id,
        ]);
        const times = (JSON.parse(row?.times ?? "[]") as number[]).filter((time) => time > now - kept);
        const wait = waitOf(times, limits, now);
        if (wait === 0 && count) {
          times.push(now);
          await tx.run(
            `INSERT INTO identity_throttles (id, times, expires_at) VALUES (?, ?, ?)
             ON CONFLICT (id) DO UPDATE SET times = excluded.times, expires_at = excluded.expires_at`,
            [id, JSON.stringify(times), now + kept],
          );
        }
        return wait;
      });
    },

    async forgetThrottle(id: string): Promise<void> {
      await engine.write((tx) => tx.run("DELETE FROM identity_throttles WHERE id = ?", [id]));
    },

    async saveRecord(record: RecordRow): Promise<void> {
      const { model, id, payload, grantId, userCode, uid, consumedAt, expiresAt } = record;
      await engine.write((tx) =>
        tx.run(
          `INSERT INTO identity_records (model, id, payload, grant_id, user_code, uid, consumed_at, expires_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id,
             user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`,
          [model, id, payload, grantId, userCode, uid, consumedAt, expiresAt],
        ),
      );
    },

    findRecord(
      model: string,
      by: { id?: string; userCode?: string; uid?: string },
    ): Promise<RecordRow | undefined> {
      const select = `SELECT model, id, payload, grant_id AS "grantId", user_code AS "userCode", uid,
        consumed_at AS "consumedAt", expires_at AS "expiresAt" FROM identity_records WHERE model = ? AND`;
      if (by.userCode !== undefined) return reader.get(`${select} user_code = ?`, [model, by.userCode]);
      if (by.uid !== undefined) return reader.get(`${select} uid = ?`, [model, by.uid]);
      return reader.get(`${select} id = ?`, [model, by.id ?? ""]);
    },

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

    async deleteRecordsOfGrant(grantId: string): Promise<void> {
      await engine.write((tx) => tx.run("DELETE FROM identity_records WHERE grant_id = ?", [grantId]));
    },

    async purge(now: number): Promise<void> {
      await engine.write(async (tx) => {
        await tx.run("DELETE FROM identity_throttles WHERE expires_at <= ?", [now]);
        await tx.run("DELETE FROM identity_sign_ups WHERE expires_at <= ?", [now - SIGN_UP_KEPT]);
      });
      // In small transactions, so that no other writer waits long.
      for (;;) {
        const { changes } = await engine.write((tx) =>
          tx.run(
            `DELETE FROM identity_records WHERE (model, id) IN
               (SELECT model, id FROM identity_records WHERE expires_at <= ? LIMIT ${PURGE_BATCH})`,
            [now],
          ),
        );
        if (changes < PURGE_BATCH) return;
      }
    },
  };
}

interface UserRow {
  id: string;
  email: string;
  passwordHash: string;
}

interface SignUpInput {
  email: string;
  passwordHash: string;
  codeHash: string;
  now: number;
  expiresAt: number;
}

interface ConfirmInput {
  email: string;
  codeHash: string;
  userId: string;
  maxTries: number;
  now: number;
}

interface LimitInput {
  count: number;
  window: number;
}

interface RecordRow {
  model: string;
  id: string;
  payload: string;
  grantId: string | null;
  userCode: string | null;
  uid: string | null;
  consumedAt: number | null;
  expiresAt: number;
}

const SELECT_USER = `SELECT id, email, password_hash AS "passwordHash" FROM identity_users`;
const SIGN_UP_KEPT = DAY;
const PURGE_BATCH = 500;

/** A wrong try is counted in the same transaction that looks at the code, so that parallel guesses gain nothing. */
async function confirmIn(tx: Transaction, input: ConfirmInput): Promise<boolean> {
  const { email, codeHash, userId, maxTries, now } = input;
  await tx.lock("identity_sign_ups", "email", [email]);
  const held = await tx.get<{ password_hash: string; code_hash: string; tries: number; expires_at: number }>(
    "SELECT password_hash, code_hash, tries, expires_at FROM identity_sign_ups WHERE email = ?",
    [email],
  );
  if (!held || held.expires_at <= now || held.tries >= maxTries) return false;
  if (held.code_hash !== codeHash) {
    await tx.run("UPDATE identity_sign_ups SET tries = tries + 1 WHERE email = ?", [email]);
    return false;
  }
  await tx.run("DELETE FROM identity_sign_ups WHERE email = ?", [email]);
  const { changes } = await tx.run(
    `INSERT INTO identity_users (id, email, password_hash, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (email) DO NOTHING`,
    [userId, email, held.password_hash, now],
  );
  return changes > 0;
}

/** Milliseconds until every limit allows one more event; 0 where they all do now. */
function waitOf(times: readonly number[], limits: readonly LimitInput[], now: number): number {
  const waits = limits.map(({ count, window }) => {
    const within = times.filter((time) => time > now - window);
    const freeing = within[within.length - count];
    return freeing === undefined ? 0 : freeing + window - now;
  });
  return Math.max(0, ...waits);
}
