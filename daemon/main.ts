/** `wireroom daemon`: runs in the foreground until it is told to stop. */
import { CONTRACT_VERSION } from "../src/contract/index.js";
import { isoTime, now } from "../src/kernel/clock.js";
import { HeldFolder } from "./local/folder.js";
import { createLog } from "./log.js";
import { type Daemon, startDaemon } from "./server.js";
import { type Flags, readSettings, type Settings, withoutCredentials } from "./settings.js";

/** Resolves with the exit code: 0 after a graceful stop, 1 where it could not start. */
export async function runDaemon(flags: Flags): Promise<number> {
  let folder: HeldFolder | undefined;
  try {
    const settings = readSettings(flags, process.env);
    folder = await HeldFolder.hold(settings.dataDir);
    const log = await createLog(settings.logLevel, settings.logFile);
    const daemon = await startDaemon(settings, log);
    await folder.announce(stateOf(settings, daemon)).catch(async (error: unknown) => {
      await daemon.stop();
      throw error;
    });
    // Whoever reads the line may answer it with a signal at once.
    const stopping = stopSignal();
    process.stdout.write(`${JSON.stringify(daemon.ready)}\n`);
    // Loaded with the first request otherwise, which they would hold up for 0.2 s.
    void Promise.allSettled([import("koa-body"), import("ajv/dist/2020.js"), import("ajv-formats")]);
    const signal = await stopping;
    log.info({ signal }, "stopping");
    await daemon.stop();
    log.info("stopped");
    log.flush();
    return 0;
  } catch (error) {
    process.stderr.write(`wireroom: ${oneLine(error)}\n`);
    return 1;
  } finally {
    await folder?.release();
  }
}

function stateOf(settings: Settings, { ready: { event: _, ...addresses } }: Daemon) {
  return {
    pid: process.pid,
    version: CONTRACT_VERSION,
    ...addresses,
    database_url: withoutCredentials(settings.databaseUrl),
    oidc_issuer: settings.oidcIssuer ?? null,
    smtp: settings.smtpUrl === undefined ? null : originOf(new URL(settings.smtpUrl)),
    log_file: settings.logFile ?? null,
    started_at: isoTime(now()),
  };
}

/** `URL.origin` is not to be had of schemes that browsers do not know. */
function originOf({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
  });
}

function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll("\n", " ");
}
