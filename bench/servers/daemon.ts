/** The daemon as it is published, on a copy of a generated database. */
import { constants } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATHS } from "../paths.js";
import { type Server, startNodeServer } from "./process.js";

/** So high that nobody reaches them: they are in force, and cost what they cost. */
const LIMITS = ["wires_per_minute", "wires_per_day", "schemas_per_hour"].flatMap((name) => [
  "--limit",
  `${name}=999999999`,
]);

export interface DaemonOptions {
  /** What is run in place of the command `wireroom`. */
  program?: string;
  /** Folder for a CPU profile, written when it stops. */
  profile?: string | undefined;
}

/** @param database file to copy; the daemon creates its own where there is none */
export async function startDaemon(
  database: string | undefined,
  { program = PATHS.command, profile = process.env.WIREROOM_BENCH_PROFILE }: DaemonOptions = {},
): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "wireroom-bench-"));
  if (database) await copyFile(database, join(folder, "wireroom.db"), constants.COPYFILE_FICLONE);
  const profiling = profile ? ["--cpu-prof", "--cpu-prof-dir", profile] : [];
  const args = ["daemon", "--port", "0", "--data-dir", folder, ...LIMITS];
  const server = await startNodeServer([...profiling, program, ...args]);
  return {
    ...server,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
