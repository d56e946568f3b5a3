/** Runs `wireroom operator …` on the machine of a daemon. */
import type { CommandResult } from "./command.js";
import type { TestDaemon } from "./daemon.js";
import { databaseFlags } from "./database.js";
import { runInProcess } from "./in-process.js";

/** Runs the command with `--json` on the daemon's database. */
export async function runOperatorCommand({ dataDir }: TestDaemon, ...args: string[]): Promise<CommandResult> {
  const database = await databaseFlags(dataDir, []);
  return runInProcess(["operator", ...args, "--data-dir", dataDir, ...database, "--json"]);
}

export async function grantOperator(daemon: TestDaemon, handle: string): Promise<void> {
  const { code, stderr } = await runOperatorCommand(daemon, "grant", handle);
  if (code !== 0) throw new Error(`operator grant ${handle} ended with ${code}: ${stderr}`);
}
