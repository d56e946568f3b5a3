/** Checks an e-mail address and a password, and limits guessing. */
import { DAY } from "../../src/kernel/clock.js";
import type { User } from "../../src/store/accounts/identity.js";
import type { Limit } from "../../src/store/accounts/identity-throttles.js";
import { isEmail, normalizeEmail } from "./credentials.js";
import type { Passwords } from "./passwords.js";
import type { MailQueue } from "./registration/mail-queue.js";
import type { IdentityContext } from "./service.js";
import type { SignInCodes } from "./sign-in-codes.js";

/**
 * Limit on consecutive wrong passwords for one address (NIST SP 800-63B, section 3.2.2). Above it, a sign-in
 * also requires a mailed code. The account is not locked, because a stranger could then lock out its owner.
 */
const WRONG_PASSWORD_LIMITS: readonly Limit[] = [{ count: 100, window: 30 * DAY }];

export interface Credentials {
  email: string;
  password: string;
  /** Ignored if no mailed code is required. */
  code?: string | undefined;
  source: string;
  isSignedIn?: boolean | undefined;
}

export type SignInResult =
  /** The sign-in succeeded. */
  | { user: User }
  /** If `isWrong` is false, a required code was missing, so the password was not checked. */
  | { user?: undefined; isWrong: boolean; needsCode: boolean };

/**
 * Throws RATE_LIMITED after too many wrong tries by the source. Results and timing are the same for addresses
 * with and without an account.
 */
export type SignIn = (credentials: Credentials) => Promise<SignInResult>;

export function createSignIn(
  { store, throttle, log, now }: IdentityContext,
  passwords: Passwords,
  codes: SignInCodes,
  mails: MailQueue,
): SignIn {
  const wrong = async (source: string, email: string, needsCode: boolean) => {
    throttle.countWrongTry(source, email);
    await store.throttle(wrongPasswordsKey(email), WRONG_PASSWORD_LIMITS, now());
    return { isWrong: true, needsCode };
  };

  return async ({ email: rawEmail, password, code = "", source, isSignedIn }) => {
    throttle.assertMayTry(source);
    const email = normalizeEmail(rawEmail);
    const turn = throttle.turnOf(source, email, isSignedIn);
    throttle.countRequest(source, turn.owner);
    // A source's jobs run one by one, so parallel guesses cannot exceed its limit.
    return passwords.run(turn, async (hasher) => {
      throttle.assertMayTry(source);
      if (!isEmail(email)) {
        // No account can have this address. Hash anyway, so that the response takes the same time.
        await hasher.matches(password, undefined);
        throttle.countWrongTry(source);
        return { isWrong: true, needsCode: false };
      }
      const key = wrongPasswordsKey(email);
      const needsCode = (await store.throttle(key, WRONG_PASSWORD_LIMITS, now(), false)) > 0;
      const user = await store.userByEmail(email);
      const event = { event: "sign-in", user: user?.id, source };
      if (needsCode && code === "") {
        // Do not check the password, because the response must not reveal whether it is right.
        log.warn({ ...event, outcome: "code required" }, "sign-in needs a mailed code");
        // The mail is sent only if the address has an account.
        await mails.request({ purpose: "sign-in", email, holder: source, source });
        return { isWrong: false, needsCode };
      }
      const isRight = await hasher.matches(password, user?.passwordHash || undefined);
      const isCodeWrong = needsCode && !codes.matches(email, code, await store.needsLongCode(email, now()));
      if (isCodeWrong) await store.countWrongCode(email, now());
      if (!user || !isRight || isCodeWrong) {
        log.warn({ ...event, outcome: "wrong" }, "sign-in failed");
        return wrong(source, email, needsCode);
      }
      log.info({ ...event, outcome: "signed in" }, "signed in");
      throttle.recordRightPassword(source, email);
      await store.resetThrottle(key);
      return { user };
    });
  };
}

export function wrongPasswordsKey(email: string): string {
  return `password:${email}`;
}
