import type { HintNames } from "../../output/hints.js";
import { isLoopback } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";
import { readDataDir } from "./settings.js";

/**
 * Returns the URL for the hint after a failed connection: that of a daemon on this machine, or the called one
 * on another. Never throws, because that would hide the connection error.
 */
export async function connectionHintNames(
  session: Session,
): Promise<Pick<HintNames, "remoteUrl" | "runningUrl">> {
  const called: Pick<HintNames, "remoteUrl"> = {};
  try {
    const url = await session.url();
    if (!isLoopback(new URL(url).hostname)) called.remoteUrl = url;
    const { findDaemon } = await import("../../../daemon/local/find.js");
    const found = await findDaemon(await readDataDir(session, {}));
    if (found.status === "running" && found.state.base_url !== url)
      return { runningUrl: found.state.base_url };
    return called;
  } catch {
    return called;
  }
}
