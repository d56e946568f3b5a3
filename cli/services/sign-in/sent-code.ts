/**
 * Tells the human where to find a code. A daemon without a mail server writes codes to its log. If that
 * daemon runs on this machine, reads the code from the log.
 */
import type { CodeMessage } from "../../../daemon/local/read-log.js";
import { monotonicMs, now, sleep } from "../../clock.js";
import type { Session } from "../../session.js";
import { calledDaemon } from "../daemon/running.js";
import type { PublishedProvider } from "./provider-discovery.js";

/** Validity of a code (docs/specification/identity.md#lifetimes). */
const CODE_LIFE_MS = 600_000;
/** Maximum wait for the code, because the daemon writes its log only after it has responded. */
const TIMEOUT_MS = 2_000;
const PAUSE_MS = 100;

export interface SentCode {
  email: string;
  provider: PublishedProvider;
  /** The message of its log line. */
  message: CodeMessage;
  /** Requests a code. The provider refuses a second request within a short time. */
  request(): Promise<unknown>;
}

/** For each kind of code, a note on when the provider sends none. */
const EXCEPTIONS: Readonly<Record<CodeMessage, string>> = {
  "confirmation code": "If the address already has an account, no code is sent. Sign in: wireroom login",
  "password reset code": "If the address has no account, no code is sent. Sign up: wireroom signup",
};

/** Prints where the human finds a code. */
export async function printCodeLocation(
  session: Session,
  code: SentCode,
  requestedAtMs: number,
): Promise<void> {
  const { output } = session;
  const logged = await readLoggedCode(session, code, requestedAtMs);
  if (logged) return output.note(`This daemon has no mail server. The code from its log: ${logged.code}`);
  if (code.provider.codes === "log") {
    const hasLogFile = Boolean((await calledDaemon(session))?.log_file);
    output.note(
      `This daemon has no mail server, so the code is in its log.\nRead the log ${hasLogFile ? "with: wireroom logs" : "in the terminal where the daemon runs, or in the journal of its service."}`,
    );
  } else output.note(`A code was sent to ${code.email}. It is valid for 10 minutes.`);
  output.note(output.paintNote("dim", EXCEPTIONS[code.message]));
}

export async function promptCode(session: Session, code: SentCode): Promise<string> {
  const { output, prompt } = session;
  for (;;) {
    const entered = await prompt.optionalText(
      "Code (6 digits, rarely 39; press Enter for a new code)",
      "--code CODE",
    );
    if (entered !== "") return entered;
    const requestedAtMs = now();
    await code.request();
    const logged = await readLoggedCode(session, code, requestedAtMs);
    const place = code.provider.codes === "log" ? "in the daemon's log" : "by e-mail";
    if (logged === undefined)
      output.note(
        `A new code comes ${place}, at least a minute after the last one. Until then, the last one stays valid.`,
      );
    else if (logged.isNew) output.note(`The new code from the daemon's log: ${logged.code}`);
    else output.note(`No new code yet: codes are at least a minute apart. Still valid: ${logged.code}`);
  }
}

/**
 * Returns the latest code for an e-mail address from the log of a daemon on this machine. If the provider
 * refused to send a new code so soon, returns the previous code while it is valid.
 */
async function readLoggedCode(
  session: Session,
  { email, provider, message }: SentCode,
  requestedAtMs: number,
): Promise<{ code: string; isNew: boolean } | undefined> {
  const logFile = provider.codes === "log" ? (await calledDaemon(session))?.log_file : undefined;
  if (!logFile) return undefined;
  const { latestCode } = await import("../../../daemon/local/read-log.js");
  const latest = (since: number) => latestCode(logFile, message, email, since).catch(() => undefined);
  const deadlineMs = monotonicMs() + TIMEOUT_MS;
  for (; monotonicMs() < deadlineMs; await sleep(PAUSE_MS)) {
    const code = await latest(requestedAtMs);
    if (code !== undefined) return { code, isNew: true };
  }
  const earlier = await latest(now() - CODE_LIFE_MS);
  return earlier === undefined ? undefined : { code: earlier, isNew: false };
}
