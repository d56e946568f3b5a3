/**
 * Reads the confirmation code from the log of a daemon on this machine. A daemon without a mail server writes the code
 * to its log.
 */

import type { CodeMessage } from "../../../daemon/local/confirmation-code.js";
import { monotonicMs, now, sleep } from "../../clock.js";
import type { Session } from "../../session.js";
import { readDataDir } from "../daemon/settings.js";

/** Validity of a code (docs/specification/identity.md#lifetimes). */
const CODE_LIFE_MS = 600_000;
/** Maximum time to wait for the confirmation code. The daemon writes its log after it has responded. */
const TIMEOUT_MS = 2_000;
const PAUSE_MS = 100;

export interface LoggedCode {
  code: string;
  /** False for a code that the daemon logged earlier and that is still valid. */
  isNew: boolean;
}

/**
 * Returns the latest code for an e-mail address from the daemon's log. Returns undefined unless the daemon runs
 * on this machine and its log is readable. If the provider refused to send a new code so soon, returns the previous
 * code while it is valid.
 * @param requestedAtMs when the code was requested, in milliseconds since 1970
 * @param message the message of its log line
 */
export async function readLoggedCode(
  session: Session,
  email: string,
  requestedAtMs: number,
  message: CodeMessage = "confirmation code",
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

/**
 * Returns the path of the called daemon's log file. Returns undefined if the daemon runs elsewhere, or if it logs to a
 * terminal or to another program.
 */
async function logFileOf(session: Session): Promise<string | undefined> {
  const { findDaemon } = await import("../../../daemon/local/find.js");
  const found = await findDaemon(await readDataDir(session, {}));
  if (found.status !== "running" || found.state.base_url !== (await session.url())) return undefined;
  return found.state.log_file ?? undefined;
}
