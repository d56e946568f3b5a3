/** `wireroom operator …`, on the machine of a daemon. */
import type { Ended } from "./command.js";
import type { TestDaemon } from "./daemon.js";
import { databaseFlags } from "./database.js";
import { runInProcess } from "./in-process.js";

/** Runs it on the daemon's database, with `--json`. */
export async function operator({ dataDir }: TestDaemon, ...args: string[]): Promise<Ended> {
  const database = await databaseFlags(dataDir, []);
  return runInProcess(["operator", ...args, "--data-dir", dataDir, ...database, "--json"]);
}

/** Makes an operator of a handle. */
export async function grantOperator(daemon: TestDaemon, handle: string): Promise<void> {
  const { code, stderr } = await operator(daemon, "grant", handle);
  if (code !== 0) throw new Error(`operator grant ${handle} ended with ${code}: ${stderr}`);
}
