import { invalid } from "../../../src/contract/errors.js";
import { assertUncommon, invalidCode, isShortCode } from "../credentials.js";
import type { IdentityStore } from "../identity-store.js";
import type { Log } from "../log.js";
import type { Passwords } from "../passwords.js";
import { type SignIn, wrongPasswordsKey } from "../sign-in.js";
import type { SourceThrottle, Turn } from "../throttle/source-throttle.js";
import { assertMayTryCode, tooManyCodes, wrongCodes } from "./codes.js";
import type { MailQueue } from "./mail-queue.js";

export interface PasswordChangeOptions {
  store: IdentityStore;
  passwords: Passwords;
  throttle: SourceThrottle;
  signIn: SignIn;
  mails: MailQueue;
  log: Log;
  now: () => number;
}

/**
 * Forgotten and changed passwords (docs/specification/identity.md#passwords). A new password ends every
 * session and refresh token of the account. Results and timing are the same for addresses with and without an
 * account.
 */
export interface PasswordChanges {
  /** Requests a code for a new password. */
  forgot(input: { email: string; source: string }): Promise<void>;
  /** Sets a new password. Throws VALIDATION_ERROR if the code is wrong. */
  reset(input: { email: string; code: string; password: string; source: string }): Promise<void>;
  /**
   * Replaces the password. Throws VALIDATION_ERROR if the address or the old password is wrong.
   * @param isSignedIn whether the caller is signed in to the account
   * @param keptGrantId the grant of the caller's own session, which does not end
   */
  change(input: {
    email: string;
    password: string;
    newPassword: string;
    source: string;
    isSignedIn: boolean;
    keptGrantId?: string | undefined;
  }): Promise<void>;
}

export function createPasswordChanges(options: PasswordChangeOptions): PasswordChanges {
  const { store, passwords, throttle, signIn, mails, log, now } = options;
  const hashPassword = (password: string, turn: Turn) => passwords.inTurn(turn, ({ hash }) => hash(password));
  return {
    async forgot({ email, source }) {
      await mails.request({ purpose: "reset", email, holder: source, source });
    },

    async reset({ email, code, password, source }) {
      await assertUncommon("password", password, email);
      await assertMayTryCode(store, source, now());
      // Hashed first, so that a right code is not used up if the hash is refused.
      const passwordHash = await hashPassword(password, throttle.turnOf(source, email));
      const result = await store.resetPassword({
        ...{ email, source, passwordHash, codeHash: mails.hashOf(code), isShort: isShortCode(code) },
        ...{ throttle: wrongCodes(source), now: now() },
      });
      if (result === false) throw invalidCode();
      if (result !== true) throw tooManyCodes(result);
      await store.resetThrottle(wrongPasswordsKey(email));
      const user = await store.userByEmail(email);
      log.info({ event: "password.reset", user: user?.id, source }, "new password set with a code");
      await mails.send(email);
    },

    async change({ email, password, newPassword, source, isSignedIn, keptGrantId }) {
      await assertUncommon("new_password", newPassword, email);
      const result = await signIn({ email, password, source, isSignedIn });
      if (!result.user) throw result.needsCode ? codeNeeded() : wrongPassword();
      const { user } = result;
      const isDone = await store.changePassword({
        ...{ email, oldHash: user.passwordHash, keptGrantId, now: now() },
        passwordHash: await hashPassword(newPassword, throttle.turnOf(source, email)),
      });
      // Another request has changed the password in the meantime.
      if (!isDone) throw wrongPassword();
      log.info({ event: "password.changed", user: user.id, source }, "new password set with the old one");
      await mails.send(email);
    },
  };
}

function codeNeeded() {
  return invalid({
    instancePath: "/password",
    keyword: "code",
    message:
      "is not enough after too many wrong ones; sign in with the mailed code first, or reset the password",
  });
}

function wrongPassword() {
  return invalid({
    instancePath: "/password",
    keyword: "password",
    message: "is wrong, or the address has no account",
  });
}
