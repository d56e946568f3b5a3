/** `wireroom daemon`: runs the daemon in the foreground until it receives SIGTERM or SIGINT. */
import { setFlagsFromString } from "node:v8";
import type { Logger } from "pino";
import { CONTRACT_VERSION } from "../src/contract/index.js";
import { isoTime, now, SECOND } from "../src/kernel/clock.js";
import { LockedDataFolder } from "./local/folder.js";
import { listSettings, originOf } from "./local/running-settings.js";
import { createLog } from "./log.js";
import { type Daemon, startDaemon } from "./server.js";
import { type Flags, readSettings, type Settings, withoutPassword } from "./settings.js";

/** Time for a log reader to read the last lines after a stop. */
const LOG_END_MS = 2 * SECOND;

/**
 * Resolves with the exit code: 0 after a stop, 1 if the daemon could not start.
 * @param readable formats a log line as text for a terminal
 */
export async function runDaemon(flags: Flags, readable?: (line: string) => string): Promise<number> {
  keepNewObjectsYoung();
  let folder: LockedDataFolder | undefined;
  try {
    const settings = readSettings(flags, process.env);
    folder = await LockedDataFolder.lock(settings.dataDir);
    const log = createLog(settings.logLevel, settings.logFile, readable);
    logWarnings(log);
    const stopping = stopSignal();
    const localSecret = settings.localSignIn ? await folder.writeLocalSecret() : undefined;
    const daemon = await Promise.race([
      startDaemon(settings, log, { localSecret }),
      stopping.then(() => undefined),
    ]);
    if (!daemon) return await exitDuringStart(folder, log);
    await folder.writeState(stateOf(settings, daemon)).catch(async (error: unknown) => {
      await daemon.stop();
      throw error;
    });
    // Without a reader of standard output, the daemon must keep running.
    process.stdout.on("error", () => {});
    process.stdout.write(`${JSON.stringify(daemon.ready)}\n`);
    // Load these modules now, so that the first request does not wait for them.
    void Promise.allSettled([import("koa-body"), import("ajv/dist/2020.js"), import("ajv-formats")]);
    const signal = await Promise.race([stopping, daemon.failed]);
    if (signal instanceof Error) return exitAfterFailure(signal, log);
    log.info({ signal }, "stopping");
    const failure = await Promise.race([daemon.stop(), daemon.failed]);
    if (failure) return exitAfterFailure(failure, log);
    log.info("stopped");
    log.flush();
    // The process would otherwise wait for a log reader that has stopped reading.
    setTimeout(() => process.exit(), LOG_END_MS).unref();
    return 0;
  } catch (error) {
    process.stderr.write(`wireroom: ${oneLine(error)}\n`);
    return 1;
  } finally {
    await folder?.unlock();
  }
}

/**
 * Stops V8 from allocating objects directly in the old generation. These objects would outlive their request
 * and keep all its other objects alive, so that each garbage collection copies whole requests
 * (docs/performance-internals.md).
 */
function keepNewObjectsYoung(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}

/** Does not wait for a migration, which may take long. The database rolls back an unfinished one. */
async function exitDuringStart(folder: LockedDataFolder, log: Logger): Promise<never> {
  log.info("stopped during the start");
  log.flush();
  await folder.unlock();
  process.exit(0);
}

/**
 * Does not close the database, because its disk has failed. The next start replays the write-ahead log, which
 * contains every commit that reached the disk.
 */
function exitAfterFailure(failure: Error, log: Logger): never {
  const message = "the disk of the database has failed; the daemon ends without another write";
  log.fatal({ err: failure }, message);
  log.flush();
  process.stderr.write(
    `wireroom: ${message}: ${oneLine(failure)}; check the disk, then start the daemon again\n`,
  );
  process.exit(1);
}

function stateOf(settings: Settings, { ready: { event: _, ...addresses } }: Daemon) {
  return {
    pid: process.pid,
    version: CONTRACT_VERSION,
    ...addresses,
    database_url: withoutPassword(settings.databaseUrl),
    oidc_issuer: settings.oidcIssuer ?? null,
    smtp: settings.smtpUrl === undefined ? null : originOf(settings.smtpUrl),
    settings: listSettings(settings),
    log_file: settings.logFile ?? null,
    started_at: isoTime(now()),
  };
}

/**
 * Resolves with the first stop signal. Ignores the second, because after Ctrl-C both npm and the terminal
 * send one. The third ends the process at once.
 */
function stopSignal(): Promise<NodeJS.Signals> {
  let count = 0;
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      process.on(signal, () => {
        if (++count === 3) process.exit(1);
        resolve(signal);
      });
  });
}

/** Logs Node's warnings as JSON lines instead of plain text. */
function logWarnings(log: Logger): void {
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn({ err: warning }, "warning of Node"));
}

function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll("\n", " ");
}
