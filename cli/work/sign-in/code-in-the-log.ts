/** The confirmation code in the log of a daemon on this machine that has no mail server. */
import { now, sleep } from "../../clock.js";
import type { Session } from "../../session.js";
import { dataDirOf } from "../daemon/settings.js";

/** Time that a code is valid. */
const CODE_LIFE_MS = 600_000;
/** Time to wait for the code: the log may lag behind the daemon's answers. */
const TIMEOUT_MS = 2_000;
const PAUSE_MS = 100;

/**
 * The code for an address. Undefined unless the daemon that the session talks to runs on this machine and its log can be
 * read. If the resend was throttled, the previous code counts as long as it is valid.
 * @param asked when the code was asked for, in milliseconds since 1970
 */
export async function codeInTheLog(
  session: Session,
  email: string,
  asked: number,
): Promise<string | undefined> {
  const logFile = await logFileOf(session).catch(() => undefined);
  if (logFile === undefined) return undefined;
  const { latestConfirmationCode } = await import("../../../daemon/local/confirmation-code.js");
  const latest = (since: number) => latestConfirmationCode(logFile, email, since).catch(() => undefined);
  for (const deadline = now() + TIMEOUT_MS; now() < deadline; await sleep(PAUSE_MS)) {
    const code = await latest(asked);
    if (code !== undefined) return code;
  }
  return latest(now() - CODE_LIFE_MS);
}

/** Undefined also where the log goes to a terminal or to another program. */
async function logFileOf(session: Session): Promise<string | undefined> {
  const { findDaemon } = await import("../../../daemon/local/find.js");
  const found = await findDaemon(await dataDirOf({}, session.env));
  if (found.is !== "running" || found.state.base_url !== (await session.url())) return undefined;
  return found.state.log_file ?? undefined;
}
