/**
 * Runs several daemons in one process, for `hosted-daemon.ts`, because a separate process takes a second of
 * CPU time to start, mostly for loading modules. Requests and responses come over the IPC channel.
 */
import perfHooks from "node:perf_hooks";
import { createLog } from "../../dist/daemon/log.js";
import { startDaemon } from "../../dist/daemon/server.js";
import { readSettings } from "../../dist/daemon/settings.js";

// prom-client never ends its measurement of the event loop, a timer of 10 ms for each daemon. Here, all
// daemons share one.
const delays = perfHooks.monitorEventLoopDelay({ resolution: 10 });
perfHooks.monitorEventLoopDelay = () => delays;
// The log of each daemon listens to the end of the process.
process.setMaxListeners(0);

/** @type {Map<string, import("../../daemon/server.js").Daemon>} */
const daemons = new Map();

const methods = {
  async start({ flags, logFile, catalog: catalogModule, tuning, localSecret, env }) {
    const settings = readSettings({ ...flags, logFile }, { ...process.env, ...env });
    const { catalog } = catalogModule ? await import(catalogModule) : {};
    const log = await createLog(settings.logLevel, settings.logFile);
    const daemon = await startDaemon(settings, log, { catalog, tuning, localSecret });
    daemons.set(daemon.ready.listen, daemon);
    return daemon.ready.listen;
  },
  async stop({ origin }) {
    await daemons.get(origin).stop();
    daemons.delete(origin);
  },
};

process.on("message", async ({ id, method, input }) => {
  try {
    process.send({ id, result: await methods[method](input) });
  } catch (error) {
    process.send({ id, error: error.message });
  }
});
process.on("disconnect", () => process.exit());
