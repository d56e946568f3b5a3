import { createHmac } from "node:crypto";
import { WireroomError } from "../../../src/contract/errors.js";
import { HOUR, SECOND } from "../../../src/kernel/clock.js";
import { newId, newLongCode, newSixDigitCode } from "../../../src/kernel/ids.js";
import type { IdentityStore, TakenMail } from "../identity-store.js";
import { errorFields, type Log } from "../log.js";
import type { SignInCodes } from "../sign-in-codes.js";
import type { SourceThrottle } from "../throttle/source-throttle.js";
import type { Mailer, MailKind } from "./mail.js";

/** Purposes of requests that a mailed code completes. */
export type Purpose = "sign-up" | "sign-in" | "reset";

/** Maximum number of requests of one source that are stored at a time. */
const MAX_REQUESTS_OF_SOURCE = 1_000;
/** Interval at which the queue is searched for mails that have become due. */
const POLL_INTERVAL_MS = 5 * SECOND;
const CLOSE_TIMEOUT_MS = 3_000;

/**
 * Sends mails with codes, spaced out by address and source. A mail that may not be sent yet waits in the
 * store. Its code is created when the mail is sent, so that the code is valid from then on
 * (docs/specification/identity.md#mails).
 */
export interface MailQueue {
  /**
   * Stores a request and queues its mail. Returns the id of the request. Does not wait for the mail server,
   * so that the duration of a response does not depend on it. Throws RATE_LIMITED if the source has too many
   * requests.
   */
  request(input: { purpose: Purpose; email: string; holder: string; source: string }): Promise<string>;
  /** Sends the mails to an address that are due. */
  send(email: string): Promise<void>;
  /** Returns a function that gives the stored form of a code for a request. */
  hashOf(code: string): (requestId: string) => string;
  /** Waits for unfinished mails, at most 3 s. */
  close(): Promise<void>;
}

export interface MailQueueOptions {
  store: IdentityStore;
  mailer: Mailer;
  throttle: SourceThrottle;
  /** HMAC key for stored codes. A plain hash of six digits could be reversed by trying all codes. */
  codeKey: string;
  signInCodes: SignInCodes;
  log: Log;
  now: () => number;
  pollIntervalMs?: number | undefined;
}

export function createMailQueue(options: MailQueueOptions): MailQueue {
  const {
    store,
    mailer,
    throttle,
    codeKey,
    signInCodes,
    log,
    now,
    pollIntervalMs = POLL_INTERVAL_MS,
  } = options;
  const unfinished = new Set<Promise<void>>();

  const codeHash = (requestId: string, code: string) =>
    createHmac("sha256", codeKey).update(`${requestId}\n${code}`).digest("base64url");

  const deliver = async (email: string, mail: TakenMail) => {
    const kind = kindOf(mail);
    const isDropped = kind === undefined || (kind === "no account" && !throttle.mayMailStranger(mail.source));
    const code = kind === "sign-in" ? signInCodes.current(email, mail.isLong) : mail.code;
    // A mail that could not be sent stays in the queue.
    if (isDropped || (await mailer.send(email, kind, code))) await store.finishMail(mail);
  };

  const inBackground = (work: Promise<void>) => {
    const settled: Promise<void> = work
      .catch((error: unknown) => log.error(errorFields(error), "sending a mail failed"))
      .finally(() => unfinished.delete(settled));
    unfinished.add(settled);
  };

  const send = async (email: string) => {
    for (;;) {
      const codes = { short: newSixDigitCode(), long: newLongCode() };
      const mail = await store.takeMail({ email, codes, codeHash, now: now() });
      if (!mail) return;
      inBackground(deliver(email, mail));
    }
  };

  const sendDue = async () => {
    for (const email of await store.dueAddresses(now())) await send(email);
  };
  let polled: Promise<void> | undefined;
  const timer = setInterval(() => {
    polled ??= sendDue()
      .catch((error: unknown) => log.error(errorFields(error), "searching the queue of mails failed"))
      .finally(() => {
        polled = undefined;
      });
  }, pollIntervalMs);
  timer.unref();

  return {
    async request({ purpose, email, holder, source }) {
      throttle.countMail(source);
      const id = newId();
      const stored = await store.addRequest({
        ...{ id, purpose, email, holder, source, now: now() },
        maxOfSource: MAX_REQUESTS_OF_SOURCE,
      });
      if (stored === "too many") {
        throw new WireroomError(
          "RATE_LIMITED",
          "too many codes were requested from your network; try again later",
          {
            retry_after: HOUR / SECOND,
          },
        );
      }
      await send(email);
      return stored.id;
    },
    send,
    hashOf: (code) => (requestId) => codeHash(requestId, code),
    async close() {
      clearInterval(timer);
      await polled;
      let timeout: NodeJS.Timeout | undefined;
      const expired = new Promise<void>((resolve) => {
        timeout = setTimeout(resolve, CLOSE_TIMEOUT_MS);
      });
      await Promise.race([Promise.all(unfinished), expired]);
      clearTimeout(timeout);
      mailer.close();
    },
  };
}

/** Returns undefined for a sign-in code of an address without an account, to which no mail is sent. */
function kindOf({ purpose, hasAccount }: TakenMail): MailKind | undefined {
  switch (purpose) {
    case "sign-in":
      return hasAccount ? "sign-in" : undefined;
    case "sign-up":
      return hasAccount ? "account exists" : "sign-up";
    case "reset":
      return hasAccount ? "reset" : "no account";
    case "account-deleted":
      return "account-deleted";
    default:
      return "password-changed";
  }
}
