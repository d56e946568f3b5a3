#!/usr/bin/env node
/** Entry point of the command `wireroom`. */
import module from "node:module";

// Cache compiled code between runs, for a faster start. Node 20 lacks this function.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
hideEnvironment();
if (!(await runAsHook(process.argv.slice(2)))) {
  const { main } = await import("./program.js");
  await main();
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
