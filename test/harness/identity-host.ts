/** A Koa server on 127.0.0.1 that serves only the identity provider, with a SQLite file. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import Koa from "koa";
import { IncomingRequest } from "../../daemon/http/memory.js";
import { createSourceOf } from "../../daemon/http/source.js";
import { createIdentity, type IdentityOptions, type IdentityService } from "../../daemon/identity/index.js";
import { openDaemonStore } from "../../daemon/store.js";
import { WireroomError } from "../../src/contract/errors.js";
import { defaultLimits } from "../../src/contract/limits.js";
import { createService } from "../../src/service/index.js";
import type { Service } from "../../src/service/pipeline/context.js";
import { identityStore } from "../../src/store/accounts/identity.js";
import { NO_LOG } from "../../src/store/engine/engine.js";

export interface LogLine {
  level: "info" | "warn" | "error";
  msg: string;
  [field: string]: unknown;
}

export interface IdentityHost {
  readonly origin: string;
  readonly port: number;
  readonly identity: IdentityService;
  /** The service over the same store. */
  readonly service: Service;
  readonly log: readonly LogLine[];
  /** Returns the latest confirmation code for an address in the log. */
  code(email: string): string;
  /** Returns the number of stored records of the OpenID provider. */
  countRecords(): Promise<number>;
  /** Returns the latest code for a new password of an address in the log. */
  resetCode(email: string): string;
  /** Names of the called functions of the store, in order. */
  readonly calls: string[];
  /** Waits until the queue of mails has been searched again. */
  searchMails(): Promise<void>;
  /** Deletes what has expired. */
  purge(): Promise<void>;
  /** Stores this many registrations of a source, as registrations would. */
  fillClients(source: string, count: number): Promise<void>;
  /** Returns all records of the provider, connections and access tokens as text. */
  dump(): Promise<string>;
  /** Closes the database while the server runs. */
  closeStore(): Promise<void>;
  close(): Promise<void>;
}

export interface HostOptions {
  /** The SQLite file. */
  file: string;
  /** The port of an earlier host. The issuer URL contains it and must not change. */
  port?: number;
  /** Replaces the origin of the server, as `--public-url` does. */
  publicOrigin?: string;
  settings?: IdentityOptions["settings"];
  tuning?: IdentityOptions["tuning"];
  now?: () => number;
}

export async function startIdentityHost(options: HostOptions): Promise<IdentityHost> {
  const log: LogLine[] = [];
  const write = (level: LogLine["level"]) => (fields: object, msg: string) =>
    void log.push({ level, msg, ...fields });

  let storeClosed = false;
  const opened = await openDaemonStore(`sqlite:${options.file}`, NO_LOG);
  const { engine } = opened.store;
  // The issuer URL contains the port, so the server listens before the identity service is created.
  const server = createServer({ IncomingMessage: IncomingRequest });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  let searches = 0;
  const calls: string[] = [];
  const store = opened.identity;
  const service = createService({
    store: opened.store,
    limits: defaultLimits(),
    baseUrl: `${options.publicOrigin ?? origin}/v1`,
    stopping: new AbortController().signal,
  });
  const dueAddresses: typeof store.dueAddresses = async (now) => {
    const found = await store.dueAddresses(now);
    searches++;
    return found;
  };

  const identity = await createIdentity({
    publicOrigin: options.publicOrigin ?? origin,
    store: recording({ ...store, dueAddresses }, calls),
    connections: service.connections,
    settings: options.settings ?? {},
    // Tests name their source in X-Forwarded-For.
    sourceOf: createSourceOf(["127.0.0.1"]),
    log: { info: write("info"), warn: write("warn"), error: write("error") },
    // 2^10 instead of 2^17, so that a hash takes a millisecond instead of a third of a second.
    tuning: { scryptLog2N: 10, mailPollMs: 20, ...options.tuning },
    ...(options.now && { now: options.now }),
  });

  const latestCode = (msg: string, email: string) => {
    const line = log.findLast((entry) => entry.msg === msg && entry.email === email);
    if (!line) throw new Error(`no code for ${email} in the log`);
    return line.code as string;
  };

  const app = new Koa();
  app.use(async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) throw new WireroomError("NOT_FOUND", "no such path");
    } catch (error) {
      if (!(error instanceof WireroomError)) {
        log.push({ level: "error", msg: "uncaught", error });
        ctx.status = 500;
        return;
      }
      ctx.status = error.status;
      ctx.body = error.envelope();
    }
  });
  if (identity.middleware) app.use(identity.middleware);
  app.use(async (ctx, next) => {
    if (ctx.path !== "/who") return next();
    ctx.body = await identity.verify(ctx.get("authorization") || undefined);
  });

  server.on("request", app.callback());

  return {
    origin,
    port,
    identity,
    service,
    log,
    code: (email) => latestCode("confirmation code", email),
    calls,
    resetCode: (email) => latestCode("password reset code", email),
    async searchMails() {
      const before = searches;
      // The first search may have begun earlier.
      while (searches < before + 2) await sleep(5);
    },
    async countRecords() {
      const row = await engine.reader.get<{ records: number }>(
        "SELECT count(*) AS records FROM identity_records",
        [],
      );
      return row!.records;
    },
    // The clock of a test jumps, and the store of the daemon would not believe it.
    purge: () => identityStore(engine).purge(options.now?.() ?? Date.now()),
    async fillClients(source, count) {
      const now = options.now?.() ?? Date.now();
      // In one statement, because each registration counts all others.
      await engine.write((tx) =>
        tx.run(
          `INSERT INTO identity_records (model, id, payload, uid, expires_at)
           WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
           SELECT 'Client', ? || '-' || n, '{}', ?, ? FROM numbers`,
          [count, source, source, now + 30 * 86_400_000],
        ),
      );
    },
    async dump() {
      const tables = ["identity_records", "connections", "access_tokens"];
      const rows = await Promise.all(tables.map((table) => engine.reader.all(`SELECT * FROM ${table}`)));
      return JSON.stringify(rows);
    },
    async closeStore() {
      await identity.close();
      await service.close();
      await opened.close();
      storeClosed = true;
    },
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      if (storeClosed) return;
      await identity.close();
      await service.close();
      await opened.close();
    },
  };
}

/** Returns a store that also writes down which of its functions are called. */
function recording<Store extends object>(store: Store, calls: string[]): Store {
  return new Proxy(store, {
    get(target, name) {
      calls.push(String(name));
      return Reflect.get(target, name);
    },
  });
}
