/** `wireroom daemon`: runs in the foreground until it is told to stop. */
import { createLog } from "./log.js";
import { startDaemon } from "./server.js";
import { type Flags, readSettings } from "./settings.js";

/** Resolves with the exit code: 0 after a graceful stop, 1 where it could not start. */
export async function runDaemon(flags: Flags): Promise<number> {
  try {
    const settings = readSettings(flags, process.env);
    const log = createLog(settings.logLevel);
    const daemon = await startDaemon(settings, log);
    process.stdout.write(`${JSON.stringify(daemon.ready)}\n`);
    const signal = await stopSignal();
    log.info({ signal }, "stopping");
    await daemon.stop();
    log.info("stopped");
    log.flush();
    return 0;
  } catch (error) {
    process.stderr.write(`wireroom: ${oneLine(error)}\n`);
    return 1;
  }
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
  });
}

function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll("\n", " ");
}
