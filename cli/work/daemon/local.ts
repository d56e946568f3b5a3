/** The daemon on this machine, for commands that can make use of knowing it. */
import { dataDirOf } from "./settings.js";

export interface LocalDaemon {
  pid: number;
  /** REST base url. */
  baseUrl: string;
  /** Undefined where its log goes to a terminal or to another program. */
  logFile: string | undefined;
}

/**
 * The daemon that runs on a data folder of this machine: that of `WIREROOM_DATA_DIR`, or the platform's; undefined where
 * none runs.
 */
export async function localDaemon(
  env: NodeJS.ProcessEnv,
  dataDir?: string,
): Promise<LocalDaemon | undefined> {
  const { findDaemon } = await import("../../../daemon/local/find.js");
  const found = await findDaemon(await dataDirOf({ dataDir }, env));
  if (found.is !== "running") return undefined;
  const { pid, base_url: baseUrl, log_file: logFile } = found.state;
  return { pid, baseUrl, logFile: logFile ?? undefined };
}

/**
 * The confirmation code that a daemon on this machine, without a mail server, wrote into its log for an address.
 * @param since milliseconds since 1970: earlier codes do not count
 */
export async function latestConfirmationCode(
  { logFile }: LocalDaemon,
  email: string,
  since?: number,
): Promise<string | undefined> {
  if (logFile === undefined) return undefined;
  const { latestConfirmationCode: latest } = await import("../../../daemon/local/confirmation-code.js");
  return latest(logFile, email, since);
}
