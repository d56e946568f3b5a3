/** Starts the published daemon on a copy of a generated database. */
import { constants } from "node:fs";
import { copyFile, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATHS } from "../paths.js";
import { type Server, startNodeServer } from "./process.js";

/**
 * Rate limits that no load reaches. They stay enabled, because their checks are part of the measured cost.
 */
const LIMITS = ["wires_per_minute", "wires_per_day", "schemas_per_hour"].flatMap((name) => [
  "--limit",
  `${name}=999999999`,
]);

export interface DaemonOptions {
  /** The program to run instead of the `wireroom` command. */
  program?: string;
  /** Folder for a CPU profile, which is written when the daemon stops. */
  profile?: string | undefined;
  /** More arguments of `wireroom daemon`. */
  args?: readonly string[];
  /** Moves the SQLite file instead of copying it, because a large one takes minutes and its size again. */
  movesDatabase?: boolean;
}

/** A PostgreSQL database of a daemon. */
export interface PostgresDatabase {
  url: string;
  /** Process id of the server, if the benchmarks started it. */
  pid: number | undefined;
}

/**
 * Starts a daemon.
 * @param database SQLite file to copy for the daemon, or PostgreSQL database to use; default: the daemon
 *   creates a new database
 */
export async function startDaemon(
  database: string | PostgresDatabase | undefined,
  {
    program = PATHS.command,
    profile = process.env.WIREROOM_BENCH_PROFILE,
    args: more = [],
    movesDatabase = false,
  }: DaemonOptions = {},
): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "wireroom-bench-"));
  const file = join(folder, "wireroom.db");
  if (typeof database === "string")
    await (movesDatabase ? rename(database, file) : copyFile(database, file, constants.COPYFILE_FICLONE));
  const profiling = profile ? ["--cpu-prof", "--cpu-prof-dir", profile] : [];
  const postgres = typeof database === "object" ? database : undefined;
  const args = ["daemon", "--port", "0", "--data-dir", folder, ...LIMITS, ...more];
  if (postgres) args.push("--database-url", postgres.url);
  const server = await startNodeServer([...profiling, program, ...args]);
  return {
    ...server,
    folder,
    database: postgres?.pid,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
