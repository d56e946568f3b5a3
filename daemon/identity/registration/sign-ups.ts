import { createHmac } from "node:crypto";
import { newId } from "../../../src/kernel/ids.js";
import { assertUncommon, invalidCode, isShortCode } from "../credentials.js";
import type { IdentityStore } from "../identity-store.js";
import type { Log } from "../log.js";
import type { Passwords } from "../passwords.js";
import type { SourceThrottle } from "../throttle/source-throttle.js";
import { assertMayTryCode, tooManyCodes, wrongCodes } from "./codes.js";
import type { MailQueue } from "./mail-queue.js";

export interface SignUpOptions {
  store: IdentityStore;
  passwords: Passwords;
  throttle: SourceThrottle;
  mails: MailQueue;
  /** Key from which the salts of pending sign-ups are derived. */
  codeKey: string;
  log: Log;
  now: () => number;
}

/**
 * Sign-up of the embedded identity provider. A sign-up is identified by address and password, so that a
 * stranger who signs up somebody else's address cannot use the owner's code, and the owner's code never
 * confirms the stranger's password. Results and timing are the same for addresses with and without an account
 * (docs/specification/identity.md#sign-up).
 */
export interface SignUps {
  /**
   * Signs up, or requests another code for the sign-up with the same password. Returns the id of the sign-up,
   * which must not leave this daemon except in a signed cookie.
   */
  signUp(input: { email: string; password: string; source: string }): Promise<string>;
  /**
   * Creates the account of a sign-up. Throws VALIDATION_ERROR if the password or the code is wrong. Returns
   * the user's id.
   */
  confirm(input: { email: string; password: string; code: string; source: string }): Promise<string>;
  /**
   * Creates the account of the sign-up with this id, which only the browser that signed up has. Otherwise
   * like `confirm`.
   */
  confirmById(input: { id: string; code: string; source: string }): Promise<string>;
}

export function createSignUps(options: SignUpOptions): SignUps {
  const { store, passwords, throttle, mails, codeKey, log, now } = options;
  // The salt depends on the address only, so that one hash finds the sign-up among all that are pending for
  // the address.
  const saltOf = (email: string) =>
    createHmac("sha256", codeKey).update(`salt\n${email}`).digest().subarray(0, 16);
  const hash = (email: string, password: string, source: string) =>
    passwords.inTurn(throttle.turnOf(source, email), (hasher) => hasher.hash(password, saltOf(email)));

  const confirmById: SignUps["confirmById"] = async ({ id, code, source }) => {
    const user = await store.confirmSignUp({
      ...{ id, userId: newId(), codeHash: mails.hashOf(code), isShort: isShortCode(code) },
      ...{ throttle: wrongCodes(source), now: now() },
    });
    if (!user) throw invalidCode(", or the password is not the one of the sign-up");
    if ("waitMs" in user) throw tooManyCodes(user);
    log.info({ event: "account.confirmed", user: user.id, source }, "account confirmed");
    return user.id;
  };

  return {
    async signUp({ email, password, source }) {
      await assertUncommon("password", password, email);
      const holder = await hash(email, password, source);
      return mails.request({ purpose: "sign-up", email, holder, source });
    },

    async confirm({ email, password, code, source }) {
      await assertMayTryCode(store, source, now());
      const holder = await hash(email, password, source);
      const signUp = await store.findRequest({ email, purpose: "sign-up", holder });
      return confirmById({ id: signUp?.id ?? newId(), code, source });
    },

    async confirmById(input) {
      await assertMayTryCode(store, input.source, now());
      return confirmById(input);
    },
  };
}
