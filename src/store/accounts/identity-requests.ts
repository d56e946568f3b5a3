/**
 * Stores sign-ups and password resets, which a mailed code completes. A request is kept for one day after its
 * mail was last requested, and for up to seven days while the mail waits.
 */
import { DAY, HOUR, MINUTE } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import type { Engine, Transaction } from "../engine/engine.js";
import { deleteGrants } from "./credentials.js";
import {
  countThrottled,
  countWrongCode,
  type Limit,
  shortCodesWaitMs,
  wrongCodesKey,
} from "./identity-throttles.js";
import { endOtherSignIns } from "./sign-ins.js";

export function identityRequests(engine: Engine) {
  return {
    /**
     * Stores a request and queues its mail. Reuses an earlier request of the same holder with the same
     * purpose and address.
     */
    async addRequest(input: RequestInput): Promise<{ id: string } | "too many"> {
      const { id, purpose, email, holder, source, now, maxOfSource } = input;
      return engine.write(async (tx) => {
        await tx.lock("identity_throttles", "id", [`mail:${email}`]);
        const known = await tx.get<{ id: string }>(
          "SELECT id FROM identity_requests WHERE email = ? AND purpose = ? AND holder = ?",
          [email, purpose, holder],
        );
        const stored = await tx.get<{ count: number }>(
          "SELECT COUNT(*) AS count FROM identity_requests WHERE source = ?",
          [source],
        );
        if (!known && stored!.count >= maxOfSource) return "too many";
        await tx.run(
          `INSERT INTO identity_requests (id, purpose, email, holder, source, created_at, mail_due_at, waits_since)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (email, purpose, holder) DO UPDATE SET source = excluded.source,
             created_at = excluded.created_at,
             waits_since = CASE WHEN identity_requests.mail_due_at IS NULL THEN excluded.waits_since
               ELSE identity_requests.waits_since END,
             mail_due_at = COALESCE(identity_requests.mail_due_at, excluded.mail_due_at)`,
          [id, purpose, email, holder, source, now, now, now],
        );
        return known ?? { id };
      }, `mail:${email}`);
    },

    findRequest({ email, purpose, holder }: { email: string; purpose: string; holder: string }) {
      return engine.reader.get<{ id: string }>(
        "SELECT id FROM identity_requests WHERE email = ? AND purpose = ? AND holder = ?",
        [email, purpose, holder],
      );
    },

    /**
     * Creates the account if the code is right, and deletes all requests for the address. Counts a wrong code
     * against the request, the source and the address, and returns undefined. After too many wrong codes,
     * refuses even the right code.
     * @param input the id of the new user, or of an existing user without a password, who gets the sign-up's
     * address and password
     */
    confirmSignUp(
      input: CodeInput & { id: string; userId: string; isExisting?: boolean },
    ): Promise<{ id: string } | TooManyCodes | undefined> {
      const { id, userId, isExisting, throttle, now } = input;
      return engine.write(async (tx) => {
        // Check the source's limit again, because concurrent requests may all have passed the earlier check.
        const waitMs = await countThrottled(tx, throttle, now, false);
        if (waitMs > 0) return { waitMs, isOfAddress: false };
        await tx.lock("identity_requests", "id", [id]);
        const signUp = await tx.get<RequestRow>(`${SELECT_REQUEST} WHERE id = ? AND purpose = '${SIGN_UP}'`, [
          id,
        ]);
        const refused = signUp && (await refusedShortCode(tx, signUp.email, input));
        if (refused) return refused;
        if (signUp && isRight(signUp, signUp.tries, input)) {
          await tx.lock("identity_throttles", "id", [`sign-up:${signUp.email}`]);
          const { changes } = isExisting
            ? await tx.run(
                `UPDATE identity_users SET local_email = email, email = ?, password_hash = ?
                 WHERE id = ? AND password_hash = '' AND NOT EXISTS (SELECT 1 FROM identity_users WHERE email = ?)`,
                [signUp.email, signUp.holder, userId, signUp.email],
              )
            : await tx.run(
                `INSERT INTO identity_users (id, email, password_hash, created_at) VALUES (?, ?, ?, ?)
                 ON CONFLICT (email) DO NOTHING`,
                [userId, signUp.email, signUp.holder, now],
              );
          if (changes > 0) {
            await tx.run("DELETE FROM identity_requests WHERE email = ?", [signUp.email]);
            await forgetMails(tx, signUp.email);
            return { id: userId };
          }
        }
        await tx.run("UPDATE identity_requests SET tries = tries + 1 WHERE id = ?", [id]);
        // Write these rows for an unknown request too, so that the response takes the same time.
        await countThrottled(tx, throttle, now);
        await countWrongCode(tx, signUp?.email ?? "", now);
        return undefined;
      });
    },

    /**
     * Sets a new password if the code is right, voids all sessions and tokens, and deletes all requests for
     * the address. Counts a wrong code and returns false. After too many wrong codes, refuses even the right
     * code. Wrong codes from sources that made no request have their own counter, so that strangers cannot
     * use up the owner's tries.
     */
    resetPassword(
      input: CodeInput & { email: string; source: string; passwordHash: string },
    ): Promise<boolean | TooManyCodes> {
      const { email, source, passwordHash, throttle, now } = input;
      return engine.write(async (tx) => {
        const waitMs = await countThrottled(tx, throttle, now, false);
        if (waitMs > 0) return { waitMs, isOfAddress: false };
        await tx.lock("identity_throttles", "id", [`reset:${email}`]);
        const refused = await refusedShortCode(tx, email, input);
        if (refused) return refused;
        const rows = await tx.all<RequestRow>(
          `${SELECT_REQUEST} WHERE email = ? AND purpose = '${RESET}' AND code_expires_at > ?`,
          [email, now],
        );
        const own = rows.find(({ holder }) => holder === source);
        const right = own
          ? isRight(own, own.tries, input)
          : rows.some((row) => isRight(row, row.other_tries, input));
        const user = right && (await findUser(tx, email));
        if (user) {
          await setPassword(tx, { ...user, email, passwordHash, now });
          return true;
        }
        await tx.run(
          own
            ? "UPDATE identity_requests SET tries = tries + 1 WHERE email = ? AND purpose = ? AND holder = ?"
            : "UPDATE identity_requests SET other_tries = other_tries + 1 WHERE email = ? AND purpose = ? AND holder <> ?",
          [email, RESET, source],
        );
        await countThrottled(tx, throttle, now);
        await countWrongCode(tx, email, now);
        return false;
      });
    },

    /**
     * Voids all sessions and tokens except those of the grant `keptGrantId`. Returns false if the stored hash
     * is no longer `oldHash`.
     */
    changePassword(input: {
      email: string;
      oldHash: string;
      passwordHash: string;
      keptGrantId?: string | undefined;
      now: number;
    }) {
      const { email, oldHash, passwordHash, keptGrantId, now } = input;
      return engine.write(async (tx) => {
        await tx.lock("identity_throttles", "id", [`reset:${email}`]);
        const user = await findUser(tx, email);
        if (user?.password_hash !== oldHash) return false;
        await setPassword(tx, { ...user, email, passwordHash, keptGrantId, now });
        return true;
      });
    },

    async purgeRequests(now: number): Promise<void> {
      await engine.write(async (tx) => {
        await tx.run(
          `DELETE FROM identity_requests WHERE created_at <= ?
             AND (mail_due_at IS NULL AND COALESCE(code_expires_at, 0) <= ? OR created_at <= ?)`,
          [now - DAY, now, now - MAX_WAIT_MS],
        );
        await tx.run("DELETE FROM identity_sent_mails WHERE sent_at <= ?", [now - DAY]);
      });
    },
  };
}

/** The purposes of requests and mails. `CHANGED`, `DELETED` and `APPROVALS` are notices without a code. */
const SIGN_UP = "sign-up";
const RESET = "reset";
const CHANGED = "password-changed";
/**
 * A request with this purpose is deleted after its mail was sent, because it contains a deleted account's
 * address.
 */
export const DELETED = "account-deleted";
/** The holder of such a request is the id of the account. */
export const APPROVALS = "approvals";

/** Counted from the time when the mail is sent. */
export const CODE_TTL_MS = 10 * MINUTE;
const MAX_CODE_TRIES = 5;
/** Maximum time that a mail waits in the queue, for example while the mail server is down. */
const MAX_WAIT_MS = 7 * DAY;

interface RequestInput {
  id: string;
  purpose: string;
  email: string;
  holder: string;
  source: string;
  now: number;
  maxOfSource: number;
}

interface CodeInput {
  codeHash: (requestId: string) => string;
  /** A short code has six digits. */
  isShort: boolean;
  /** Counts wrong codes by source. Another throttle counts them by address. */
  throttle: { id: string; limits: readonly Limit[] };
  now: number;
}

/** The code was not checked, because there were too many wrong codes. */
export interface TooManyCodes {
  waitMs: number;
  /**
   * Whether the limit for the address was reached, so that only a long code helps. Otherwise, the limit for
   * the source was reached.
   */
  isOfAddress: boolean;
}

interface RequestRow {
  id: string;
  email: string;
  holder: string;
  code_hash: string | null;
  code_expires_at: number | null;
  tries: number;
  other_tries: number;
}

interface StoredUser {
  id: string;
  password_hash: string;
}

const SELECT_REQUEST =
  "SELECT id, email, holder, code_hash, code_expires_at, tries, other_tries FROM identity_requests";

function isRight(row: RequestRow, tries: number, { codeHash, now }: CodeInput): boolean {
  const expiresAt = row.code_expires_at ?? 0;
  // If the expiry is more than an hour away, the clock was ahead when the code was stored.
  const isValid = expiresAt > now && expiresAt <= now + HOUR;
  return isValid && tries < MAX_CODE_TRIES && row.code_hash === codeHash(row.id);
}

async function refusedShortCode(
  tx: Transaction,
  email: string,
  { isShort, now }: CodeInput,
): Promise<TooManyCodes | undefined> {
  const waitMs = isShort ? await shortCodesWaitMs(tx, email, now) : 0;
  return waitMs > 0 ? { waitMs, isOfAddress: true } : undefined;
}

/** Returns undefined if the human has no password. */
function findUser(tx: Transaction, email: string): Promise<StoredUser | undefined> {
  return tx.get("SELECT id, password_hash FROM identity_users WHERE email = ? AND password_hash <> ''", [
    email,
  ]);
}

/**
 * Sets the password, ends all sign-ins except the one with the grant `keptGrantId`, and queues a mail to the
 * owner.
 */
async function setPassword(
  tx: Transaction,
  password: {
    id: string;
    email: string;
    passwordHash: string;
    keptGrantId?: string | undefined;
    now: number;
  },
): Promise<void> {
  const { id, email, passwordHash, keptGrantId, now } = password;
  await tx.run("UPDATE identity_users SET password_hash = ? WHERE id = ?", [passwordHash, id]);
  await endOtherSignIns(tx, id, keptGrantId, now);
  await tx.run("DELETE FROM identity_requests WHERE email = ? AND purpose NOT IN (?, ?)", [
    email,
    CHANGED,
    APPROVALS,
  ]);
  await tx.run("DELETE FROM identity_throttles WHERE id = ?", [`password:${email}`]);
  await forgetMails(tx, email);
  await queueNotice(tx, CHANGED, email, now);
}

/** Queues no second notice while one of the same holder waits. */
export async function queueNotice(
  tx: Transaction,
  purpose: string,
  email: string,
  now: number,
  holder = newId(),
): Promise<void> {
  await tx.run(
    `INSERT INTO identity_requests (id, purpose, email, holder, source, created_at, mail_due_at)
     VALUES (?, ?, ?, ?, '', ?, ?)
     ON CONFLICT (email, purpose, holder) DO UPDATE SET created_at = excluded.created_at,
       mail_due_at = COALESCE(identity_requests.mail_due_at, excluded.mail_due_at)`,
    [newId(), purpose, email, holder, now, now],
  );
}

/**
 * Deletes a human of the embedded provider with all data about the address, and queues a confirmation mail.
 * Returns false for a human of another provider.
 */
async function deleteUser(tx: Transaction, id: string, now: number): Promise<boolean> {
  const user = await tx.get<{ email: string; password_hash: string }>(
    "DELETE FROM identity_users WHERE id = ? RETURNING email, password_hash",
    [id],
  );
  if (!user) return false;
  const { email } = user;
  await tx.run("DELETE FROM identity_requests WHERE email = ?", [email]);
  await tx.run("DELETE FROM identity_throttles WHERE id IN (?, ?)", [
    `password:${email}`,
    wrongCodesKey(email),
  ]);
  await forgetMails(tx, email);
  // A human without a password has an address that receives no mail.
  if (user.password_hash !== "") await queueNotice(tx, DELETED, email, now);
  return true;
}

/**
 * Lets the next mail to an address be sent at once. Called when the owner has used a code or the password.
 */
async function forgetMails(tx: Transaction, email: string): Promise<void> {
  await tx.run("DELETE FROM identity_sent_mails WHERE email = ?", [email]);
}

/**
 * Deletes a human's sign-ins and the responses stored for the human's idempotency keys. Returns whether the
 * human belonged to the embedded provider and was deleted too.
 */
export async function forgetHuman(
  tx: Transaction,
  { pk, id, human, at }: { pk: number; id: string; human: string; at: number },
): Promise<boolean> {
  const isEmbedded = await deleteUser(tx, human, at);
  await deleteGrants(tx, "SELECT grant_id FROM sign_ins WHERE human = ?", [human]);
  await tx.run("DELETE FROM identity_records WHERE human = ?", [human]);
  await tx.run("DELETE FROM sign_ins WHERE human = ?", [human]);
  await tx.run("DELETE FROM idempotency WHERE caller = ?", [id]);
  tx.publish({ topic: "approvals", account: pk });
  return isEmbedded;
}
