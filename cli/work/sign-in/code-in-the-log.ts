import { now, sleep } from "../../clock.js";
import type { Session } from "../../session.js";
import { latestConfirmationCode, localDaemon } from "../daemon/local.js";

/** Milliseconds that a code is valid (decisions, section 10). */
const CODE_LIFE = 600_000;
/** Milliseconds in which a daemon has written a code that it writes at all; its log may lag behind its answers. */
const PATIENCE = 2_000;
const PAUSE = 100;

/**
 * The code for an address, where the daemon spoken to runs on this machine and its log can be read: that of `wireroom up`.
 * Where no new one comes, which is so soon after another, the one before, as long as it is valid.
 * @param asked milliseconds since 1970, when it was asked for
 */
export async function codeInTheLog(
  session: Session,
  email: string,
  asked: number,
): Promise<string | undefined> {
  const daemon = await localDaemon(session.env).catch(() => undefined);
  if (daemon?.logFile === undefined || daemon.baseUrl !== (await session.url())) return undefined;
  const latest = (since: number) => latestConfirmationCode(daemon, email, since).catch(() => undefined);
  for (const deadline = now() + PATIENCE; now() < deadline; await sleep(PAUSE)) {
    const code = await latest(asked);
    if (code !== undefined) return code;
  }
  return latest(now() - CODE_LIFE);
}
