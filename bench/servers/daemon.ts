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

/** A daemon's database on PostgreSQL. */
export interface PostgresDatabase {
  url: string;
  /** The server's process, where the benchmarks have started it. */
  pid: number | undefined;
}

/** @param database file to copy, or a database that is used as it is; the daemon creates its own where there is none */
export async function startDaemon(
  database: string | PostgresDatabase | undefined,
  { program = PATHS.command, profile = process.env.WIREROOM_BENCH_PROFILE }: DaemonOptions = {},
): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "wireroom-bench-"));
  if (typeof database === "string")
    await copyFile(database, join(folder, "wireroom.db"), constants.COPYFILE_FICLONE);
  const profiling = profile ? ["--cpu-prof", "--cpu-prof-dir", profile] : [];
  const postgres = typeof database === "object" ? database : undefined;
  const args = ["daemon", "--port", "0", "--data-dir", folder, ...LIMITS];
  if (postgres) args.push("--database-url", postgres.url);
  const server = await startNodeServer([...profiling, program, ...args]);
  return {
    ...server,
    database: postgres?.pid,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
