/**
 * Sign-up, forgotten and changed passwords of the embedded identity provider, and the mails that they send.
 */
import type { IdentityStore } from "../identity-store.js";
import type { Log } from "../log.js";
import type { Passwords } from "../passwords.js";
import type { SignIn } from "../sign-in.js";
import type { SignInCodes } from "../sign-in-codes.js";
import type { SourceThrottle } from "../throttle/source-throttle.js";
import { createMailer } from "./mail.js";
import { createMailQueue } from "./mail-queue.js";
import { createPasswordChanges, type PasswordChanges } from "./password-changes.js";
import { createSignUps, type SignUps } from "./sign-ups.js";

export interface Registration {
  signUps: SignUps;
  passwordChanges: PasswordChanges;
  /** Queues the mail with a code that a sign-in needs. It is sent only if the address has an account. */
  mailSignInCode(email: string, source: string): Promise<void>;
  /** Waits for unfinished mails, at most 3 s. */
  close(): Promise<void>;
}

export interface RegistrationOptions {
  publicOrigin: string;
  smtpUrl: string | undefined;
  store: IdentityStore;
  passwords: Passwords;
  throttle: SourceThrottle;
  signIn: SignIn;
  signInCodes: SignInCodes;
  /** HMAC key for stored codes and for the salts of pending sign-ups. */
  codeKey: string;
  log: Log;
  now: () => number;
  mailPollMs: number | undefined;
}

export async function createRegistration(options: RegistrationOptions): Promise<Registration> {
  const { publicOrigin, smtpUrl, store, passwords, throttle, signIn, signInCodes, codeKey, log, now } =
    options;
  const mailer = await createMailer({ smtpUrl, publicOrigin, log });
  const mails = createMailQueue({
    ...{ store, mailer, throttle, codeKey, signInCodes, log, now },
    pollIntervalMs: options.mailPollMs,
  });
  return {
    signUps: createSignUps({ store, passwords, throttle, mails, codeKey, log, now }),
    passwordChanges: createPasswordChanges({ store, passwords, throttle, signIn, mails, log, now }),
    async mailSignInCode(email, source) {
      await mails.request({ purpose: "sign-in", email, holder: source, source });
    },
    close: mails.close,
  };
}
