/** Creates the daemon from its components: store, service, identity service and HTTP server. */
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Logger } from "pino";
import { CONTRACT_VERSION } from "../src/contract/index.js";
import { createService } from "../src/service/index.js";
import { createApp } from "./http/app.js";
import { connectionLimit, SERVER_OPTIONS, serve } from "./http/connections.js";
import { securityHeaders } from "./http/security-headers.js";
import { createSourceOf } from "./http/source.js";
import { createIdentity, type IdentityOptions } from "./identity/index.js";
import { listSettings, summarise } from "./local/running-settings.js";
import type { Catalog } from "./mcp/catalog.js";
import { contractCatalog } from "./mcp/contract-catalog.js";
import { ServedHosts } from "./mcp/served-hosts.js";
import type { Settings } from "./settings.js";
import { openDaemonStore } from "./store.js";
import { openTracing } from "./tracing/index.js";

export interface Daemon {
  /** The JSON line that the daemon prints to standard output when it is ready. */
  ready: { event: "ready"; base_url: string; mcp_url: string; listen: string };
  /** Resolves if the database's disk has failed. The process must then exit without calling `stop`. */
  failed: Promise<Error>;
  /** Stops accepting requests, waits for active requests, and closes the store. */
  stop(): Promise<void>;
}

/** Time for active requests to finish when the daemon stops (docs/specification/running.md#stop). */
const SHUTDOWN_TIMEOUT_MS = 10_000;

/** Long polls of one account may use a quarter of the connections. */
const HELD_SHARE = 4;

interface DaemonOptions extends Pick<IdentityOptions, "localSecret" | "tuning"> {
  /** The MCP endpoint's tools, resources and prompts. */
  catalog?: Catalog;
}

/** Throws an `Error` whose message explains the problem and its solution. */
export async function startDaemon(
  settings: Settings,
  log: Logger,
  { catalog = contractCatalog, localSecret, tuning }: DaemonOptions = {},
): Promise<Daemon> {
  const tracing = await openTracing(process.env);
  const store = await openDaemonStore(settings.databaseUrl, log, settings.retainDays).catch(async (error) => {
    await tracing?.close();
    throw error;
  });
  const server = createServer(SERVER_OPTIONS);
  /** The open components, in the order of closing. */
  const parts: { close(): Promise<void> }[] = tracing ? [store, tracing] : [store];
  const closeParts = async () => {
    const failures: unknown[] = [];
    for (const part of parts) await part.close().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  const stopping = new AbortController();
  try {
    const address = await lookupHost(settings);
    // Bind port 0 now, because URLs need the chosen port. Refuse connections until the daemon is ready.
    const isPortChosen = settings.port !== 0;
    const refuse = (socket: Socket) => void socket.destroy();
    if (!isPortChosen) await bind(server.on("connection", refuse), address, settings);
    const listen = originOf(address, isPortChosen ? settings.port : (server.address() as AddressInfo).port);
    const origin = settings.publicUrl ?? listen;
    const baseUrl = `${origin}/v1`;
    const service = createService({
      store: store.store,
      limits: settings.limits,
      // With an external identity provider, the daemon has no mails to send.
      sendsMails: settings.smtpUrl !== undefined && settings.oidcIssuer === undefined,
      baseUrl,
      stopping: stopping.signal,
    });
    parts.unshift(service);
    const sourceOf = createSourceOf(settings.trustedProxies);
    const identity = await createIdentity({
      publicOrigin: origin,
      store: store.identity,
      connections: service.connections,
      settings,
      log,
      sourceOf,
      localSecret,
      tuning,
    });
    parts.unshift(identity);
    const hosts = new ServedHosts([listen, origin], settings.host, settings.corsOrigins);
    const headers = securityHeaders(baseUrl);
    const maxConnections = connectionLimit();
    const { notifier } = store.store;
    notifier.maxPerAccount = Math.floor(maxConnections / HELD_SHARE);
    const closeUnused = serve(
      server.off("connection", refuse),
      createApp(service, identity, hosts, sourceOf, settings, headers, log, catalog, tracing),
      headers,
      log,
      sourceOf,
      maxConnections,
      () => notifier.giveOneUp(),
    );
    if (isPortChosen) await bind(server, address, settings);
    log.info(
      {
        version: CONTRACT_VERSION,
        listen,
        base_url: baseUrl,
        identity: identity.describe(),
        ...summarise(listSettings(settings)),
      },
      "serving",
    );
    if (!/^(127\.|::1$)/.test(address) && !origin.startsWith("https:"))
      log.warn(
        { listen },
        "other machines can connect, and nothing encrypts keys and passwords; put a proxy with HTTPS before the daemon, and name it with --public-url",
      );
    return {
      ready: { event: "ready", base_url: baseUrl, mcp_url: `${origin}/mcp`, listen },
      failed: store.store.engine.failed,
      async stop() {
        stopping.abort();
        await closeServer(server, closeUnused);
        await closeParts();
      },
    };
  } catch (error) {
    stopping.abort();
    server.close();
    await closeParts();
    throw error;
  }
}

async function lookupHost({ host, port }: Settings): Promise<string> {
  const { address } = await lookup(host).catch((error: NodeJS.ErrnoException) => {
    throw new Error(listenErrorMessage(error, host, port));
  });
  return address;
}

/** Linux's default maximum (net.core.somaxconn). */
const BACKLOG = 4_096;

async function bind(server: Server, address: string, { host, port }: Settings): Promise<void> {
  server.listen({ host: address, port, backlog: BACKLOG });
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    throw new Error(listenErrorMessage(error, host, port));
  });
}

/** Returns an origin with which this machine can reach the address. */
function originOf(address: string, port: number): string {
  const reachable = { "0.0.0.0": "127.0.0.1", "::": "[::1]" }[address] ?? bracketed(address);
  return `http://${reachable}:${port}`;
}

function bracketed(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

function listenErrorMessage({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case "EADDRINUSE":
      return `port ${port} on ${host} is in use; stop the process that uses it, or choose another port with --port`;
    case "EACCES":
      return `this user may not listen on port ${port}; choose a port above 1023 with --port`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${host} is not an address of this machine; choose another address with --host`;
    default:
      return `cannot listen on ${host}:${port}: ${message}`;
  }
}

async function closeServer(server: Server, closeUnused: () => void): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const forceClose = setTimeout(() => server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS);
  // Close idle connections, and connections that were never used.
  const sweep = setInterval(() => {
    server.closeIdleConnections();
    closeUnused();
  }, 50);
  await closed;
  clearTimeout(forceClose);
  clearInterval(sweep);
}
