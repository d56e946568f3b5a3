#!/usr/bin/env node
/** Entry point of the command `wireroom`. */
import module from "node:module";

// Node 22 and newer keep compiled code between runs, which shortens the start. Node 20 has no such function.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
hideEnvironment();
if (!(await runAsHook(process.argv.slice(2)))) {
  const { main } = await import("./program.js");
  await main();
}

/** Runs `wireroom hook` without the other commands, because an agent waits for it. */
async function runAsHook([command, ...args]: readonly string[]): Promise<boolean> {
  if (command !== "hook") return false;
  const { hookFlags, runHook } = await import("./services/hook/run.js");
  const flags = hookFlags(args);
  if (flags) await runHook(flags, process);
  return flags !== undefined;
}

/**
 * Keeps the environment, which can contain keys, out of Node's diagnostic reports. Node 20 cannot leave it
 * out, so there the reports that Node writes on its own are turned off.
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
