/** The texts of mails to humans, and the mailers that send or log them. */
import { isShortCode } from "../credentials.js";
import { errorFields, type Log } from "../log.js";
import type { IdentityContext } from "../service.js";
import { isLoopback } from "../settings.js";

export type MailKind =
  /** A code that confirms a sign-up. */
  | "sign-up"
  | "sign-in"
  /** The reply to a sign-up for an address with an account. */
  | "account exists"
  /** A code that sets a new password. */
  | "reset"
  | "no account"
  | "password-changed"
  | "account-deleted"
  /** The number of wires and knocks that wait for approval. */
  | "approvals";

export interface Mailer {
  /**
   * Sends a mail. Returns false if a retry may succeed. Never throws.
   * @param detail the code, or the number of approvals; ignored for other mails
   */
  send(email: string, kind: MailKind, detail: string): Promise<boolean>;
  close(): void;
}

export async function createMailer(context: IdentityContext): Promise<Mailer> {
  const { smtpUrl } = context.settings;
  return smtpUrl === undefined ? logMailer(context.log) : smtpMailer(smtpUrl, context);
}

/**
 * Logs the codes, for a daemon without a mail server. The level `warn` shows them at most log levels
 * (docs/specification/identity.md#mails).
 */
function logMailer(log: Log): Mailer {
  const write: Record<MailKind, (email: string, detail: string) => void> = {
    // The code comes first, so that a narrow terminal does not split it.
    "sign-up": (email, code) => log.warn({ code, email }, "confirmation code"),
    "sign-in": (email, code) => log.warn({ code, email, purpose: "sign-in" }, "confirmation code"),
    reset: (email, code) => log.warn({ code, email }, "password reset code"),
    "account exists": (email) => log.info({ email }, "sign-up for an address that has an account"),
    "no account": (email) => log.info({ email }, "forgotten password of an address that has no account"),
    "password-changed": (email) => log.info({ email }, "password changed"),
    "account-deleted": (email) => log.info({ email }, "account deleted"),
    approvals: (email, count) => log.info({ email, count }, "approvals wait"),
  };
  return {
    async send(email, kind, detail) {
      write[kind](email, detail);
      return true;
    },
    close() {},
  };
}

async function smtpMailer(
  smtpUrl: string,
  { publicOrigin, settings, log }: IdentityContext,
): Promise<Mailer> {
  const { createTransport } = await import("nodemailer");
  const { url, from } = splitSmtpUrl(smtpUrl, publicOrigin);
  const transport = createTransport(
    // nodemailer's default timeouts are up to 10 minutes.
    { url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 },
    { from, disableFileAccess: true, disableUrlAccess: true },
  );
  return {
    async send(email, kind, detail) {
      try {
        // An address in an object is not parsed, so it cannot become a list of recipients.
        const [subject, text] = MESSAGES[kind](detail, publicOrigin, settings.console !== false);
        await transport.sendMail({ to: { name: "", address: email }, subject, text });
        return true;
      } catch (error) {
        // Log only the error code, because the mail server's message may contain the e-mail address.
        log.error({ reason: codeOf(error) }, "a mail could not be sent");
        const { responseCode = 0, command = "" } = error as { responseCode?: number; command?: string };
        // Replies from 500 to 599 are permanent (RFC 5321, section 4.2.1). Before `RCPT TO`, such a reply
        // concerns the daemon, for example its password, so a retry may succeed later.
        return responseCode >= 500 && ["RCPT TO", "DATA"].includes(command);
      }
    },
    close: () => transport.close(),
  };
}

type Message = (detail: string, publicOrigin: string, hasConsole: boolean) => [subject: string, text: string];

const MESSAGES: Record<MailKind, Message> = {
  "sign-up": (code, publicOrigin) => [
    "Your Wireroom confirmation code",
    `Your confirmation code is ${code}
${longCodeNote(code)}
The code is valid for 10 minutes. Enter it where you signed up for Wireroom at ${publicOrigin}.
If you did not sign up, ignore this mail. Nobody else can use the code.
`,
  ],
  "sign-in": (code, publicOrigin) => [
    "Your Wireroom sign-in code",
    `Your sign-in code is ${code}
${longCodeNote(code)}
There were many wrong passwords for your account at ${publicOrigin}. Until you sign in, your password alone is
not enough. Enter this code together with your password. The code is valid for at least 10 minutes.
If you did not try to sign in, ignore this mail. Nobody can sign in without this code.
`,
  ],
  "account exists": (_code, publicOrigin) => [
    "You already have a Wireroom account",
    `Someone, probably you, tried to sign up for Wireroom at ${publicOrigin} with this e-mail address.
You already have an account. Sign in with your password. Your account was not changed.
`,
  ],
  reset: (code, publicOrigin) => [
    "Your Wireroom code for a new password",
    `Your code is ${code}
${longCodeNote(code)}
The code is valid for 10 minutes. Enter it with a new password where you requested it for Wireroom at ${publicOrigin}.
If you did not request it, ignore this mail, and never give the code to anyone. Your password was not changed.
`,
  ],
  "no account": (_code, publicOrigin) => [
    "You have no Wireroom account",
    `Someone, probably you, requested a new password for Wireroom at ${publicOrigin} with this e-mail address.
This address has no account. You may have signed up with another address.
`,
  ],
  "password-changed": (_code, publicOrigin) => [
    "Your Wireroom password was changed",
    `The password of your account at ${publicOrigin} was changed. Its other sign-ins have ended. API keys stay valid.
If you did not change it, request a new password at once: wireroom password forgot
`,
  ],
  "account-deleted": (_code, publicOrigin) => [
    "Your Wireroom account was deleted",
    `Your account at ${publicOrigin} was deleted, as requested by someone who was signed in to it. Its handles are
retired, and its API keys, connections and sign-ins have ended. This cannot be undone. You can sign up again with this address.
If you did not delete it, tell the operator of the service.
`,
  ],
  approvals: (count, publicOrigin, hasConsole) => {
    const wait = count === "1" ? "1 approval waits" : `${count} approvals wait`;
    return [
      wait,
      `${wait} for you at ${publicOrigin}: your handles want to send wires or knocks.
Decide here: ${hasConsole ? `${publicOrigin}/console/approvals` : "wireroom approval list"}

You get at most one such mail an hour, and none while nothing new waits.
Turn them off: ${hasConsole ? `${publicOrigin}/console/account` : "wireroom account set --approval-mails off"}
`,
    ];
  },
};

/** Tells the human that a code is longer than usual. */
function longCodeNote(code: string): string {
  return isShortCode(code)
    ? ""
    : "\nIt is longer than usual, because many wrong codes were entered for this address. Copy all of it.\n";
}

/**
 * Splits the SMTP URL into the server's URL and the sender: `from`, or the URL's user if that is an e-mail
 * address, or else `no-reply` at the public host.
 */
function splitSmtpUrl(smtpUrl: string, publicOrigin: string): { url: string; from: string } {
  const url = new URL(smtpUrl);
  const fromParameter = url.searchParams.get("from");
  url.searchParams.delete("from");
  const user = url.username.replace("%40", "@");
  const { hostname } = new URL(publicOrigin);
  const host = isLoopback(hostname) ? "localhost" : hostname;
  return {
    url: url.href,
    from: fromParameter ?? (user.includes("@") ? user : `Wireroom <no-reply@${host}>`),
  };
}

function codeOf(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return (
    [code, responseCode].filter(Boolean).join(" ") || errorFields(error).reason.split(":", 1)[0] || "unknown"
  );
}
