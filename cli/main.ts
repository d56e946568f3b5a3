#!/usr/bin/env node
/** Entry point of the command `wireroom`. */
import module from "node:module";
import { homedir, tmpdir } from "node:os";
import { isAbsolute } from "node:path";

// Cache compiled code between runs, for a faster start. Node 20 lacks this function.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
hideEnvironment();
requireFolders();
if (!(await runAsHook(process.argv.slice(2)))) {
  const { main } = await import("./program.js");
  await main();
}

/**
 * Exits if the user has no home folder, as in some containers, and no variables name other folders. The demo
 * needs none.
 */
function requireFolders(): void {
  if (hasHome()) return;
  const { WIREROOM_CONFIG_DIR, WIREROOM_DATA_DIR } = process.env;
  const isDemo = process.argv[2] === "demo";
  if (!isDemo && (!WIREROOM_CONFIG_DIR || !WIREROOM_DATA_DIR)) {
    process.stderr.write(
      "wireroom: this user has no home folder; set HOME to an absolute path, or set WIREROOM_CONFIG_DIR and WIREROOM_DATA_DIR\n",
    );
    process.exit(1);
  }
  // Set any folder as the home folder, because the package `env-paths` fails without one.
  process.env.HOME = WIREROOM_CONFIG_DIR || tmpdir();
}

/** Returns false also for an empty or relative `HOME`, which would put the data into the current folder. */
function hasHome(): boolean {
  try {
    return isAbsolute(homedir());
  } catch {
    return false;
  }
}

/** Runs `wireroom hook` without loading other commands, because an agent waits for the hook. */
async function runAsHook([command, ...args]: readonly string[]): Promise<boolean> {
  if (command !== "hook") return false;
  const { hookFlags, runHook } = await import("./services/hook/run.js");
  const flags = hookFlags(args);
  if (flags) await runHook(flags, process);
  return flags !== undefined;
}

/**
 * Keeps the environment out of Node's diagnostic reports, because it can contain keys. Node 20 cannot exclude
 * the environment, so this function turns off automatic reports there.
 */
function hideEnvironment(): void {
  const report = process.report as (typeof process.report & { excludeEnv?: boolean }) | undefined;
  if (!report) return;
  if ("excludeEnv" in report) report.excludeEnv = true;
  else
    Object.assign(report, {
      reportOnFatalError: false,
      reportOnSignal: false,
      reportOnUncaughtException: false,
    });
}
