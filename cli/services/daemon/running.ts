/** Finds the daemon that runs on this machine. */
import type { DaemonState } from "../../../daemon/local/folder.js";
import type { HintNames } from "../../output/hints.js";
import { isLoopback } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";
import { readDataDir } from "./settings.js";

/** Returns the daemon's state. Returns undefined if none is running or this CLI cannot run daemons. */
export async function runningDaemon(session: Session): Promise<DaemonState | undefined> {
  try {
    const { findDaemon } = await import("../../../daemon/local/find.js");
    const found = await findDaemon(await readDataDir(session, {}));
    return found.status === "running" ? found.state : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the state of the daemon that this command calls. Returns undefined if it runs elsewhere. */
export async function calledDaemon(session: Session): Promise<DaemonState | undefined> {
  const state = await runningDaemon(session);
  return state?.base_url === (await session.url()) ? state : undefined;
}

/**
 * Returns URLs for the hint after a failed connection: the URL of a daemon on this machine, or the called URL
 * of another machine. Never throws, because an error here would hide the connection error.
 */
export async function connectionHintNames(
  session: Session,
): Promise<Pick<HintNames, "remoteUrl" | "runningUrl" | "ownPort">> {
  const url = await session.url().catch(() => undefined);
  if (url === undefined) return {};
  const running = await runningDaemon(session);
  if (running && running.base_url !== url) {
    const { signIn, keys = {} } = await session.profile();
    return {
      runningUrl: running.base_url,
      ...((signIn || Object.keys(keys).length > 0) && { ownPort: new URL(url).port }),
    };
  }
  return isLoopback(new URL(url).hostname) ? {} : { remoteUrl: url };
}
