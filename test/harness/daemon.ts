/** Starts the built daemon as a process with a real database, and provides HTTP clients for it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageFile } from "../../src/kernel/package-file.js";
import { databaseFlags, dropDatabaseOf } from "./database.js";
import { freePort } from "./free-port.js";
import { type HostedDaemon, startHostedDaemon, type Tuning } from "./hosted-daemon.js";
import { type OidcIssuer, startOidcIssuer } from "./oidc-issuer.js";

/** The built command. */
export const COMMAND = packageFile("dist/cli/main.js");

/** A module that ends its process with the worker of `WORKER_ENV`. */
export const END_WITH_WORKER = packageFile("test/harness/end-with-worker.cjs");
export const WORKER_ENV = { WIREROOM_TEST_WORKER: String(process.pid) };

const withoutLimits = (...names: string[]) => names.flatMap((name) => ["--limit", `${name}=none`]);

/**
 * Flags of every daemon, because tests create many handles for one human. Flags of a test come after them.
 */
const MANY_HANDLES = withoutLimits("handles_per_account", "handles_per_hour", "keys_per_handle");

/** Flags that disable every rate limit, for tests of other features. */
export const NO_LIMITS = withoutLimits(
  "wires_per_minute",
  "wires_per_day",
  "knocks_per_hour",
  "spaces_per_hour",
  "spaces_per_account",
  "schemas_per_hour",
  "mentions_per_hour",
  "claims_per_handle",
);

/** Flags for tests with thousands of requests: no limits, and no log line for each request. */
export const NO_LIMITS_FEW_LOGS = [...NO_LIMITS, "--log-level", "warn"];

// biome-ignore lint/suspicious/noExplicitAny: tests read untyped response bodies
export type Body = any;

export interface JsonResponse {
  status: number;
  headers: Headers;
  body: Body;
}

/** An HTTP client that sends an API key or ID token in `authorization`. */
export interface Client {
  get(path: string, headers?: Record<string, string>): Promise<JsonResponse>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<JsonResponse>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<JsonResponse>;
  delete(path: string, headers?: Record<string, string>): Promise<JsonResponse>;
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<JsonResponse>;
}

export interface AgentClient extends Client {
  slug: string;
  id: string;
  key: string;
  keyId: string;
  owner: Client;
}

export interface TestDaemon {
  origin: string;
  base: string;
  dataDir: string;
  process: ChildProcess;
  issuer: OidcIssuer;
  /** Returns the standard error output so far. */
  log(): string;
  /** Returns a client that sends this bearer token, or none. */
  client(token?: string): Client;
  /** Returns a client of the human with this name. Equal names are the same account. */
  humanClient(name: string): Promise<Client>;
  /**
   * Creates a handle and an API key for it.
   * @param owner name of the human who owns it; by default the slug
   */
  createAgent(slug: string, fields?: Record<string, unknown>, owner?: string): Promise<AgentClient>;
  /** Stops the daemon with SIGTERM. Returns the exit code. */
  stop(): Promise<number | null>;
  /** Kills the daemon with SIGKILL. */
  kill(): Promise<void>;
  /**
   * Stops the daemon with SIGTERM, and starts it again with the same folder and port, in another process.
   * @param offline called while the daemon is stopped
   */
  restart(offline?: () => Promise<unknown>): Promise<void>;
}

export interface DaemonOptions {
  args?: string[];
  env?: Record<string, string>;
  /** A command that becomes the daemon, with its arguments. */
  launcher?: readonly string[];
  /** The data folder. Without it, a temporary folder is created, and `stop` removes it. */
  dataDir?: string;
  /** Another daemon whose PostgreSQL database this daemon uses. */
  sharesDatabaseWith?: TestDaemon;
  /** Uses the embedded identity provider instead of the issuer of the tests. */
  embeddedIdentity?: boolean;
  /**
   * Shares a process with other daemons, which is faster. Such a daemon cannot be killed, and has no
   * `process`.
   */
  isHosted?: boolean;
  /**
   * A module that exports the `catalog` of the MCP endpoint, in place of the daemon's own. For hosted daemons
   * only.
   */
  mcpCatalog?: URL;
  /** Overrides of the identity provider. For hosted daemons only. */
  tuning?: Tuning;
  /** The secret of the local sign-in, which other daemons write into their folder. For hosted daemons only. */
  localSecret?: string;
}

/**
 * A hosted daemon with the embedded identity provider. It hashes passwords in a millisecond, and sends mails
 * at once.
 */
export const EMBEDDED_IDENTITY: DaemonOptions = {
  embeddedIdentity: true,
  isHosted: true,
  tuning: { scryptLog2N: 10, mailPollMs: 20 },
};

let issuers: Promise<OidcIssuer> | undefined;

/** Returns the issuer that all daemons of a test worker share. */
async function sharedIssuer(): Promise<OidcIssuer> {
  issuers ??= startOidcIssuer().then(async (issuer) => {
    await issuer.addKey("ES256");
    return issuer;
  });
  return issuers;
}

export async function startDaemon(options: DaemonOptions = {}): Promise<TestDaemon> {
  const issuer = await sharedIssuer();
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "wireroom-test-")));
  const logFile = join(dataDir, "daemon.log");
  let stderr = "";
  let child!: ChildProcess;
  let hosted: HostedDaemon | undefined;
  let origin = "";

  const launch = async (port: string) => {
    const identity = options.embeddedIdentity
      ? []
      : ["--oidc-issuer", issuer.url, "--oidc-audience", issuer.audience];
    const database = await databaseFlags(options.sharesDatabaseWith?.dataDir ?? dataDir, options.args ?? []);
    const args = [
      ...["--port", port, "--data-dir", dataDir],
      ...MANY_HANDLES,
      ...database,
      ...identity,
      ...(options.args ?? []),
    ];
    if (options.isHosted) {
      hosted = await startHostedDaemon(args, logFile, options, hosted);
      origin = hosted.origin;
      return;
    }
    const node = [process.execPath, "--require", END_WITH_WORKER, COMMAND];
    const [program, ...programArgs] = [...(options.launcher ?? []), ...node];
    child = spawn(program!, [...programArgs, "daemon", ...args], {
      env: { ...process.env, ...WORKER_ENV, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stderr!.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    origin = await waitForOrigin(child, () => stderr);
  };
  for (let attempt = 1; origin === ""; attempt++) {
    try {
      await launch(String(await freePort()));
    } catch (error) {
      // Another process may have taken the free port in the meantime.
      if (attempt === 3 || !/port \d+ on \S+ is in use/.test(String(error))) throw error;
    }
  }

  const end = async (signal: NodeJS.Signals) => {
    if (hosted) {
      await hosted.stop();
      return 0;
    }
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
    return child.exitCode;
  };

  const assertSeparate = () => {
    if (hosted) throw new Error("this test needs a daemon in a process of its own: daemonFixture");
  };

  const client = (token?: string) => createClient(() => `${origin}/v1`, token);
  const tokenOf = (name: string) => issuer.token({ claims: { sub: name, email: `${name}@example.com` } });
  const daemon: TestDaemon = {
    get origin() {
      return origin;
    },
    get base() {
      return `${origin}/v1`;
    },
    get process() {
      assertSeparate();
      return child;
    },
    dataDir,
    issuer,
    log: () => (hosted ? readFileSync(logFile, "utf8") : stderr),
    client,
    humanClient: async (name) => client(await tokenOf(name)),
    async createAgent(slug, fields = {}, owner = slug) {
      const human = client(await tokenOf(owner));
      const made = (reply: Promise<JsonResponse>) => expectStatus(reply, 201, () => stderr);
      const handle = await made(human.post("/handles", { slug, ...fields }));
      const key = await made(human.post("/keys", { handle_id: handle.body.id }));
      const own = client(key.body.key as string);
      return { ...own, slug, id: handle.body.id, key: key.body.key, keyId: key.body.id, owner: human };
    },
    async stop() {
      const code = await end("SIGTERM");
      if (!options.dataDir) {
        await dropDatabaseOf(dataDir);
        await rm(dataDir, { recursive: true, force: true });
      }
      return code;
    },
    async kill() {
      assertSeparate();
      await end("SIGKILL");
    },
    async restart(offline) {
      await end("SIGTERM");
      await offline?.();
      await launch(new URL(origin).port);
    },
  };
  return daemon;
}

/** @param log returns the daemon's log; its end is shown for a 5xx response */
async function expectStatus(
  reply: Promise<JsonResponse>,
  status: number,
  log: () => string,
): Promise<JsonResponse> {
  const got = await reply;
  if (got.status === status) return got;
  const reason = got.status >= 500 ? `\n${log().slice(-2_000)}` : "";
  throw new Error(`expected ${status}, got ${got.status}: ${JSON.stringify(got.body)}${reason}`);
}

async function waitForOrigin(child: ChildProcess, stderr: () => string): Promise<string> {
  let stdout = "";
  return new Promise((resolve, reject) => {
    child.stdout!.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      const line = stdout.split("\n")[0]!;
      if (stdout.includes("\n")) resolve((JSON.parse(line) as { listen: string }).listen);
    });
    child.once("exit", (code) => reject(new Error(`the daemon exited with ${code}: ${stderr()}`)));
  });
}

function createClient(base: () => string, token: string | undefined): Client {
  const request: Client["request"] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${base()}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? undefined : JSON.parse(text),
    };
  };
  return {
    request,
    get: (path, headers) => request("GET", path, undefined, headers),
    post: (path, body, headers) => request("POST", path, body, headers),
    put: (path, body, headers) => request("PUT", path, body, headers),
    delete: (path, headers) => request("DELETE", path, undefined, headers),
  };
}
