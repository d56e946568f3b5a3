#!/usr/bin/env node
/** Entry point of the command `wireroom`. */
import module from "node:module";

// Node 22 and newer keep compiled code between runs, which shortens the start. Node 20 has no such function.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
hideEnvironment();
const { main } = await import("./program.js");
await main();

/**
 * Keeps the environment, which can contain keys and passwords, out of Node's diagnostic reports. Node 20 cannot leave it out, so
 * there the reports that Node writes on its own are turned off.
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
