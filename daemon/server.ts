/** The daemon: the only place where its parts are put together. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { openStore } from "../src/service/host/store.js";
import { createService } from "../src/service/index.js";
import { createApp, SERVER_OPTIONS, serve } from "./http/app.js";
import { createIdentity } from "./identity/index.js";
import { ServedHosts } from "./mcp/served-hosts.js";
import type { Settings } from "./settings.js";

export interface Daemon {
  /** What the ready line says. */
  ready: { event: "ready"; base_url: string; mcp_url: string; listen: string };
  /** Stops taking requests, finishes those under way, closes the store. */
  stop(): Promise<void>;
}

/** Time that requests under way are given when the daemon stops (decisions, section 12). */
const GRACE = 10_000;

/** Starts the daemon. Throws an `Error` whose message says what to do where it cannot. */
export async function startDaemon(settings: Settings, log: Logger): Promise<Daemon> {
  const store = await openStore(settings.databaseUrl);
  const server = createServer({ keepAliveTimeout: 75_000, maxHeaderSize: 32 * 1024, ...SERVER_OPTIONS });
  try {
    const listen = await bind(server, settings);
    const origin = settings.publicUrl ?? listen;
    const stopping = new AbortController();
    const baseUrl = `${origin}/v1`;
    const service = createService({
      store: store.store,
      limits: settings.limits,
      baseUrl,
      stopping: stopping.signal,
    });
    const identity = await createIdentity({ publicOrigin: origin, store: store.identity, settings, log });
    const hosts = new ServedHosts([listen, origin], settings.host);
    serve(server, createApp(service, identity, hosts, log), log);
    log.info({ listen, base_url: baseUrl, identity: identity.describe() }, "serving");
    return {
      ready: { event: "ready", base_url: baseUrl, mcp_url: `${origin}/mcp`, listen },
      async stop() {
        stopping.abort();
        await closeServer(server);
        await identity.close();
        await service.close();
        await store.close();
      },
    };
  } catch (error) {
    server.close();
    await store.close();
    throw error;
  }
}

async function bind(server: Server, { host, port }: Settings): Promise<string> {
  server.listen({ host, port, backlog: 1_024 });
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    throw new Error(unbindable(error, host, port));
  });
  const address = server.address() as AddressInfo;
  const reachable = { "0.0.0.0": "127.0.0.1", "::": "[::1]" }[address.address] ?? bracketed(address.address);
  return `http://${reachable}:${address.port}`;
}

function bracketed(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

function unbindable({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case "EADDRINUSE":
      return `port ${port} on ${host} is in use; stop what listens there, or choose another with --port`;
    case "EACCES":
      return `port ${port} may not be opened by this user; choose one above 1023 with --port`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${host} is no address of this machine; choose another with --host`;
    default:
      return `cannot listen on ${host}:${port}: ${message}`;
  }
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const impatient = setTimeout(() => server.closeAllConnections(), GRACE);
  // Connections that were busy go idle as they answer; each answer says that it is the last.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearTimeout(impatient);
  clearInterval(sweep);
}
