/** A real Koa server on 127.0.0.1 with nothing but human accounts, over a real SQLite file. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import { createIdentity, type IdentityOptions, type IdentityService } from "../../daemon/identity/index.js";
import { WireroomError } from "../../src/contract/errors.js";
import { identityStore } from "../../src/store/accounts/identity.js";
import { SqliteEngine } from "../../src/store/engine/sqlite/index.js";

export interface LogLine {
  level: "info" | "warn" | "error";
  msg: string;
  [field: string]: unknown;
}

export interface IdentityHost {
  readonly origin: string;
  readonly port: number;
  readonly identity: IdentityService;
  readonly log: readonly LogLine[];
  /** The latest confirmation code that the log shows for an address. */
  code(email: string): string;
  /** Takes the database away while the server runs. */
  closeStore(): Promise<void>;
  close(): Promise<void>;
}

export interface HostOptions {
  /** The SQLite file. */
  file: string;
  /** The port of an earlier host, so that its issuer stays the same. */
  port?: number;
  /** Replaces the origin that it listens on, as `--public-url` does. */
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
  const engine = await SqliteEngine.open(options.file);
  // The port is bound first: the issuer contains it.
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  const identity = await createIdentity({
    publicOrigin: options.publicOrigin ?? origin,
    store: identityStore(engine),
    settings: options.settings ?? {},
    log: { info: write("info"), warn: write("warn"), error: write("error") },
    // 2^10 instead of 2^17: a millisecond instead of a third of a second.
    tuning: { scryptLog2N: 10, ...options.tuning },
    ...(options.now && { now: options.now }),
  });

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
    log,
    code(email) {
      const line = log.findLast((entry) => entry.msg === "confirmation code" && entry.email === email);
      if (!line) throw new Error(`no code for ${email} in the log`);
      return line.code as string;
    },
    async closeStore() {
      await identity.close();
      await engine.close();
      storeClosed = true;
    },
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      if (storeClosed) return;
      await identity.close();
      await engine.close();
    },
  };
}
