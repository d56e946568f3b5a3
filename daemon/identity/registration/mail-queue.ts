/**
 * Mails codes, with a minimum interval per address and source. A mail waits in the store until it is due. Its
 * code is created only then, so that the code's lifetime does not pass while the mail waits
 * (docs/specification/identity.md#mails).
 */
import { createHmac } from "node:crypto";
import { WireroomError } from "../../../src/contract/errors.js";
import { HOUR, SECOND } from "../../../src/kernel/clock.js";
import { newId, newLongCode, newSixDigitCode } from "../../../src/kernel/ids.js";
import type { TakenMail } from "../../../src/store/accounts/identity-mails.js";
import { errorFields } from "../log.js";
import type { IdentityContext } from "../service.js";
import type { SignInCodes } from "../sign-in-codes.js";
import type { Mailer, MailKind } from "./mail.js";

export type Purpose = "sign-up" | "sign-in" | "reset";

const MAX_REQUESTS_OF_SOURCE = 1_000;
const POLL_INTERVAL_MS = 5 * SECOND;
const CLOSE_TIMEOUT_MS = 3_000;

export class MailQueue {
  private readonly unfinished = new Set<Promise<void>>();
  private readonly timer: NodeJS.Timeout;
  private polled: Promise<void> | undefined;

  constructor(
    private readonly context: IdentityContext,
    private readonly mailer: Mailer,
    private readonly signInCodes: SignInCodes,
  ) {
    this.timer = setInterval(() => this.poll(), context.tuning?.mailPollMs ?? POLL_INTERVAL_MS).unref();
  }

  /**
   * Stores a request for a mail. Returns the request's id without waiting for the mail server. Throws
   * RATE_LIMITED if the source has too many requests.
   */
  async request(input: { purpose: Purpose; email: string; holder: string; source: string }): Promise<string> {
    const { store, throttle, now } = this.context;
    throttle.countMail(input.source);
    const request = { ...input, id: newId(), now: now(), maxOfSource: MAX_REQUESTS_OF_SOURCE };
    const stored = await store.addRequest(request);
    if (stored === "too many") {
      const message = "too many codes were requested from your network; try again later";
      throw new WireroomError("RATE_LIMITED", message, { retry_after: HOUR / SECOND });
    }
    await this.send(input.email);
    return stored.id;
  }

  async send(email: string): Promise<void> {
    const { store, now } = this.context;
    for (;;) {
      const codes = { short: newSixDigitCode(), long: newLongCode() };
      const codeHash = (requestId: string, code: string) => this.hashOf(code)(requestId);
      const mail = await store.takeMail({ email, codes, codeHash, now: now() });
      if (!mail) return;
      this.inBackground(this.deliver(email, mail));
    }
  }

  /**
   * Returns a function that computes the form in which a code is stored. The form is an HMAC, because anyone
   * could find six digits from a plain hash by trying all codes.
   */
  hashOf(code: string): (requestId: string) => string {
    const { hmacKey } = this.context;
    return (requestId) => createHmac("sha256", hmacKey).update(`${requestId}\n${code}`).digest("base64url");
  }

  /** Waits up to 3 s for mails that are being sent. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.polled;
    let timeout: NodeJS.Timeout | undefined;
    const expired = new Promise<void>((resolve) => {
      timeout = setTimeout(resolve, CLOSE_TIMEOUT_MS);
    });
    await Promise.race([Promise.all(this.unfinished), expired]);
    clearTimeout(timeout);
    this.mailer.close();
  }

  private poll(): void {
    const { store, log, now, settings } = this.context;
    const sendDue = async () => {
      if (settings.smtpUrl !== undefined) await store.queueApprovalMails(now());
      for (const email of await store.dueAddresses(now())) await this.send(email);
    };
    this.polled ??= sendDue()
      .catch((error: unknown) => log.error(errorFields(error), "searching the queue of mails failed"))
      .finally(() => {
        this.polled = undefined;
      });
  }

  private async deliver(email: string, mail: TakenMail): Promise<void> {
    const content = await this.contentOf(email, mail);
    if (!content || (await this.mailer.send(email, ...content))) await this.context.store.finishMail(mail);
  }

  /** Returns undefined if no mail needs to be sent any more. */
  private async contentOf(
    email: string,
    mail: TakenMail,
  ): Promise<[kind: MailKind, detail: string] | undefined> {
    const { store, throttle, now } = this.context;
    const kind = kindOf(mail);
    switch (kind) {
      case "sign-in":
        return [kind, this.signInCodes.current(email, mail.isLong)];
      case "no account":
        return throttle.mayMailStranger(mail.source) ? [kind, ""] : undefined;
      case "approvals": {
        const count = await store.approvalsToMail(mail.holder, now());
        return count === 0 ? undefined : [kind, String(count)];
      }
      default:
        return kind && [kind, mail.code];
    }
  }

  private inBackground(work: Promise<void>): void {
    const settled: Promise<void> = work
      .catch((error: unknown) => this.context.log.error(errorFields(error), "sending a mail failed"))
      .finally(() => this.unfinished.delete(settled));
    this.unfinished.add(settled);
  }
}

/** Returns undefined for a sign-in code if the address has no account, because no mail is sent then. */
function kindOf({ purpose, hasAccount }: TakenMail): MailKind | undefined {
  switch (purpose) {
    case "sign-in":
      return hasAccount ? "sign-in" : undefined;
    case "sign-up":
      return hasAccount ? "account exists" : "sign-up";
    case "reset":
      return hasAccount ? "reset" : "no account";
    case "account-deleted":
    case "approvals":
      return purpose;
    default:
      return "password-changed";
  }
}
