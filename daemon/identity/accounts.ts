import { createHmac } from "node:crypto";
import { WireroomError } from "../../src/contract/errors.js";
import { HOUR, MINUTE, SECOND } from "../../src/kernel/clock.js";
import { newCode, newId } from "../../src/kernel/ids.js";
import { KeyedMutex } from "../../src/kernel/keyed-mutex.js";
import { isEmail, normalizeEmail, wrongCode } from "./credentials.js";
import type { IdentityStore, User } from "./identity-store.js";
import type { Mailer } from "./mail.js";
import type { Passwords } from "./passwords.js";

/** Decisions, section 10: a code ends after 10 minutes or 5 wrong tries. */
const CODE_LIFE = 10 * MINUTE;
const CODE_TRIES = 5;
/** Mails to one address: 5 an hour; a code is sent again after 30 s at the earliest. More are left out silently. */
const MAILS = [{ count: 5, window: HOUR }];
const RESENDS = [{ count: 1, window: 30 * SECOND }, ...MAILS];
/** Wrong passwords for one address, known or not: a guesser is left with fewer than 1,000 tries a day. */
const WRONG_PASSWORDS = [{ count: 10, window: 15 * MINUTE }];

export interface AccountsOptions {
  store: IdentityStore;
  passwords: Passwords;
  mailer: Mailer;
  /** Key of the codes' hashes: six digits alone could be guessed from a plain hash. */
  codeKey: string;
  now: () => number;
}

/**
 * Sign-up, confirmation and sign-in. Nothing here tells whether an address has an account: each operation does the same
 * work and gives the same answer either way (decisions, section 10).
 */
export interface Accounts {
  signUp(email: string, password: string): Promise<void>;
  confirm(email: string, code: string): Promise<void>;
  resend(email: string): Promise<void>;
  /** The user, or undefined where address or password are wrong; `RATE_LIMITED` after too many wrong ones. */
  signIn(email: string, password: string): Promise<User | undefined>;
}

export function createAccounts({ store, passwords, mailer, codeKey, now }: AccountsOptions): Accounts {
  const hashCode = (email: string, code: string) =>
    createHmac("sha256", codeKey).update(`${email}\n${code}`).digest("base64url");
  const mutex = new KeyedMutex();

  return {
    async signUp(email, password) {
      const passwordHash = await passwords.hash(password);
      const code = newCode();
      if ((await store.throttle(`mail:${email}`, MAILS, now())) > 0) return;
      const outcome = await store.holdSignUp({
        email,
        passwordHash,
        codeHash: hashCode(email, code),
        now: now(),
        expiresAt: now() + CODE_LIFE,
      });
      if (outcome === "held") mailer.code(email, code);
      else mailer.accountExists(email);
    },

    async confirm(email, code) {
      const codeHash = hashCode(email, code);
      const userId = newId();
      const confirmed = await store.confirm({ email, codeHash, userId, maxTries: CODE_TRIES, now: now() });
      if (!confirmed) throw wrongCode();
    },

    async resend(email) {
      const code = newCode();
      if ((await store.throttle(`mail:${email}`, RESENDS, now())) > 0) return;
      const renewed = await store.renewCode(email, hashCode(email, code), now() + CODE_LIFE, now());
      if (renewed) mailer.code(email, code);
    },

    async signIn(givenEmail, password) {
      const email = normalizeEmail(givenEmail);
      if (!isEmail(email)) {
        // No account can have it: nothing is kept of it, but it takes as long.
        await passwords.matches(password, undefined);
        return undefined;
      }
      const key = `password:${email}`;
      // One after the other, so that parallel guesses cannot pass the limit before the first one has failed.
      return mutex.run(email, async () => {
        const wait = await store.throttle(key, WRONG_PASSWORDS, now(), false);
        if (wait > 0) {
          throw new WireroomError(
            "RATE_LIMITED",
            "too many wrong passwords for this address: try again later",
            {
              retry_after: Math.ceil(wait / 1000),
            },
          );
        }
        const user = await store.userByEmail(email);
        if (await passwords.matches(password, user?.passwordHash)) {
          await store.forgetThrottle(key);
          return user;
        }
        await store.throttle(key, WRONG_PASSWORDS, now());
        return undefined;
      });
    },
  };
}
