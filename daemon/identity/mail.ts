import type { SendMailOptions } from "nodemailer";
import { failure, type Log } from "./log.js";
import { isLoopback } from "./settings.js";

/** Tells people what they need to know. Returns at once: a slow or failing mail server never shows in an answer. */
export interface Mailer {
  code(email: string, code: string): void;
  accountExists(email: string): void;
  /** Waits for mails under way, at most 3 s. */
  close(): Promise<void>;
}

export interface MailerOptions {
  smtpUrl: string | undefined;
  publicOrigin: string;
  log: Log;
}

const CLOSE_TIMEOUT = 3_000;

export async function createMailer(options: MailerOptions): Promise<Mailer> {
  return options.smtpUrl === undefined ? logMailer(options.log) : smtpMailer(options.smtpUrl, options);
}

/** Without a mail server the codes go to the log, at a level that is seldom switched off (decisions, section 10). */
function logMailer(log: Log): Mailer {
  return {
    code: (email, code) => log.warn({ email, code }, "confirmation code"),
    accountExists: (email) => log.info({ email }, "sign-up for an address that has an account"),
    close: async () => {},
  };
}

async function smtpMailer(smtpUrl: string, { publicOrigin, log }: MailerOptions): Promise<Mailer> {
  const { createTransport } = await import("nodemailer");
  const { url, from } = sender(smtpUrl, publicOrigin);
  const transport = createTransport(
    // In ms; well below nodemailer's defaults of up to 10 minutes.
    { url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 },
    { from, disableFileAccess: true, disableUrlAccess: true },
  );
  const underWay = new Set<Promise<void>>();

  const send = (message: SendMailOptions) => {
    const sent: Promise<void> = transport
      .sendMail(message)
      // Only the code of the failure: the server's words may repeat the address.
      .then(
        () => {},
        (error: unknown) => log.error({ reason: codeOf(error) }, "a mail could not be sent"),
      )
      .finally(() => underWay.delete(sent));
    underWay.add(sent);
  };

  return {
    code: (email, code) =>
      send({
        to: email,
        subject: "Your Wireroom confirmation code",
        text: `Your confirmation code is ${code}

It is valid for 10 minutes. Enter it where you signed up to Wireroom at ${publicOrigin}.
If you did not sign up, ignore this mail: without the code nothing happens.
`,
      }),
    accountExists: (email) =>
      send({
        to: email,
        subject: "You already have a Wireroom account",
        text: `Someone, probably you, tried to sign up to Wireroom at ${publicOrigin} with this address.
You already have an account: sign in with your password. Nothing was changed.
`,
      }),
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_TIMEOUT);
      });
      await Promise.race([Promise.all(underWay), timeout]);
      clearTimeout(timer);
      transport.close();
    },
  };
}

/** The sender: `?from=` of the SMTP URL, else its user where that is an address, else no-reply at the public host. */
function sender(smtpUrl: string, publicOrigin: string): { url: string; from: string } {
  const url = new URL(smtpUrl);
  const asked = url.searchParams.get("from");
  url.searchParams.delete("from");
  const user = url.username.replace("%40", "@");
  const { hostname } = new URL(publicOrigin);
  const host = isLoopback(hostname) ? "localhost" : hostname;
  return { url: url.href, from: asked ?? (user.includes("@") ? user : `Wireroom <no-reply@${host}>`) };
}

function codeOf(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return (
    [code, responseCode].filter(Boolean).join(" ") || failure(error).reason.split(":", 1)[0] || "unknown"
  );
}
