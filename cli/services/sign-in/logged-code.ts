/**
 * Tells the human where a code is. A daemon without a mail server writes codes to its log, which is read if
 * the daemon runs on this machine.
 */

import type { CodeMessage } from "../../../daemon/local/confirmation-code.js";
import { monotonicMs, now, sleep } from "../../clock.js";
import type { Session } from "../../session.js";
import { readDataDir } from "../daemon/settings.js";
import type { PublishedProvider } from "./provider-discovery.js";

/** Validity of a code (docs/specification/identity.md#lifetimes). */
const CODE_LIFE_MS = 600_000;
/** Maximum time to wait for the confirmation code. The daemon writes its log after it has responded. */
const TIMEOUT_MS = 2_000;
const PAUSE_MS = 100;

interface LoggedCode {
  code: string;
  /** False for a code that the daemon logged earlier and that is still valid. */
  isNew: boolean;
}

/** When the provider sends no code, by the kind of the code. */
const EXCEPTIONS: Readonly<Record<CodeMessage, string>> = {
  "confirmation code": "If the address already has an account, no code is sent. Sign in: wireroom login",
  "password reset code": "If the address has no account, no code is sent. Sign up: wireroom signup",
};

/**
 * Prints where the human finds a code.
 * @param requestedAtMs time of the request for the code, in milliseconds since 1970
 * @param message the message of its log line
 */
export async function printCodeLocation(
  session: Session,
  email: string,
  { codes }: PublishedProvider,
  requestedAtMs: number,
  message: CodeMessage,
): Promise<void> {
  const { output } = session;
  const isLogged = codes === "log";
  const code = isLogged ? (await readLoggedCode(session, email, requestedAtMs, message))?.code : undefined;
  if (code !== undefined)
    return output.note(`This daemon has no mail server. The code from its log: ${code}`);
  if (isLogged)
    output.note(
      `This daemon has no mail server, so the code is in its log.\nRead the log in the terminal where the daemon runs${(await isInForeground(session)) ? "." : ", or with: wireroom logs"}`,
    );
  else output.note(`A code was sent to ${email}. It is valid for 10 minutes.`);
  output.note(output.paintNote("dim", EXCEPTIONS[message]));
}

/** Asks for a code. After an empty line, requests another one and asks again. */
export async function promptCode(
  session: Session,
  code: {
    email: string;
    provider: PublishedProvider;
    message: CodeMessage;
    request(): Promise<void>;
  },
): Promise<string> {
  for (;;) {
    const entered = await session.prompt.optionalText(
      "Code (6 digits, rarely 39; press Enter for a new code)",
      "--code CODE",
    );
    if (entered !== "") return entered;
    const requestedAtMs = now();
    await code.request();
    const isLogged = code.provider.codes === "log";
    const logged = isLogged
      ? await readLoggedCode(session, code.email, requestedAtMs, code.message)
      : undefined;
    printAnotherCode(session, isLogged, logged);
  }
}

function printAnotherCode({ output }: Session, isLogged: boolean, logged: LoggedCode | undefined): void {
  const place = isLogged ? "in the daemon's log" : "on its way";
  if (logged === undefined)
    output.note(
      `A new code is ${place}, at least a minute after the last one. Until then, the last one stays valid.`,
    );
  else if (logged.isNew) output.note(`The new code from the daemon's log: ${logged.code}`);
  else output.note(`No new code yet, as codes are spaced out. The last one is still valid: ${logged.code}`);
}

/**
 * Returns the latest code for an address from the log of a daemon on this machine. If the provider refused to
 * send a new code so soon, returns the previous one while it is valid.
 */
async function readLoggedCode(
  session: Session,
  email: string,
  requestedAtMs: number,
  message: CodeMessage,
): Promise<LoggedCode | undefined> {
  const logFile = await logFileOf(session).catch(() => undefined);
  if (logFile === undefined) return undefined;
  const { latestCode } = await import("../../../daemon/local/confirmation-code.js");
  const latest = (since: number) => latestCode(logFile, message, email, since).catch(() => undefined);
  const deadlineMs = monotonicMs() + TIMEOUT_MS;
  for (; monotonicMs() < deadlineMs; await sleep(PAUSE_MS)) {
    const code = await latest(requestedAtMs);
    if (code !== undefined) return { code, isNew: true };
  }
  const earlier = await latest(now() - CODE_LIFE_MS);
  return earlier === undefined ? undefined : { code: earlier, isNew: false };
}

/** Returns undefined if the daemon runs elsewhere, or logs to a terminal or to another program. */
async function logFileOf(session: Session): Promise<string | undefined> {
  return (await localDaemon(session))?.log_file ?? undefined;
}

async function isInForeground(session: Session): Promise<boolean> {
  const daemon = await localDaemon(session).catch(() => undefined);
  return daemon !== undefined && !daemon.log_file;
}

async function localDaemon(session: Session) {
  const { findDaemon } = await import("../../../daemon/local/find.js");
  const found = await findDaemon(await readDataDir(session, {}));
  if (found.status !== "running" || found.state.base_url !== (await session.url())) return undefined;
  return found.state;
}
