/** The real daemon, as a process of its own on a real database, and clients that speak plain HTTP to it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { databaseFlags, dropDatabaseOf } from "./database.js";
import { freePort } from "./free-port.js";
import { type OidcIssuer, startOidcIssuer } from "./oidc-issuer.js";

export const COMMAND = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** Every limit lifted: for tests that are about something else. */
export const NO_LIMITS = [
  "wires_per_minute",
  "wires_per_day",
  "knocks_per_hour",
  "spaces_per_hour",
  "spaces_per_account",
  "schemas_per_hour",
].flatMap((name) => ["--limit", `${name}=none`]);

/** For thousands of requests: no limits, and no line of log for each. */
export const QUIET = [...NO_LIMITS, "--log-level", "warn"];

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the service answers
export type Body = any;

export interface Reply {
  status: number;
  headers: Headers;
  body: Body;
}

/** Who may be spoken for: a key or token in `authorization`. */
export interface Client {
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  delete(path: string, headers?: Record<string, string>): Promise<Reply>;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
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
  /** What it wrote to standard error so far. */
  log(): string;
  /** A client that sends this bearer token, or none. */
  client(token?: string): Client;
  /** The human of a name; the same name is the same account. */
  human(name: string): Promise<Client>;
  /** A new handle with a key, owned by a human of the same name unless one is given. */
  agent(slug: string, fields?: Record<string, unknown>, owner?: string): Promise<AgentClient>;
  /** SIGTERM; gives the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts again on the same folder and port. */
  restart(): Promise<void>;
}

export interface DaemonOptions {
  args?: string[];
  env?: Record<string, string>;
  /** A folder to keep; otherwise one is made and removed by `stop`. */
  dataDir?: string;
  /** A daemon whose database it is to share (PostgreSQL only). */
  beside?: TestDaemon;
  /** With the embedded identity provider instead of the test's issuer. */
  embedded?: boolean;
}

let issuers: Promise<OidcIssuer> | undefined;

/** One issuer serves all daemons that a worker of the tests starts. */
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
  let stderr = "";
  let child!: ChildProcess;
  let origin = "";

  const launch = async (port: string) => {
    const identity = options.embedded
      ? []
      : ["--oidc-issuer", issuer.url, "--oidc-audience", issuer.audience];
    const database = await databaseFlags(options.beside?.dataDir ?? dataDir, options.args ?? []);
    const args = [
      ...["daemon", "--port", port, "--data-dir", dataDir],
      ...database,
      ...identity,
      ...(options.args ?? []),
    ];
    child = spawn(process.execPath, [COMMAND, ...args], {
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stderr!.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    origin = await readyOrigin(child, () => stderr);
  };
  for (let attempt = 1; origin === ""; attempt++) {
    try {
      await launch(String(await freePort()));
    } catch (error) {
      // Another test may have found the same port free.
      if (attempt === 3 || !/port \d+ on \S+ is in use/.test(String(error))) throw error;
    }
  }

  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
    return child.exitCode;
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
      return child;
    },
    dataDir,
    issuer,
    log: () => stderr,
    client,
    human: async (name) => client(await tokenOf(name)),
    async agent(slug, fields = {}, owner = slug) {
      const human = client(await tokenOf(owner));
      const made = (reply: Promise<Reply>) => expectStatus(reply, 201, () => stderr);
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
      await end("SIGKILL");
    },
    async restart() {
      await end("SIGTERM");
      await launch(new URL(origin).port);
    },
  };
  return daemon;
}

/** @param log what the daemon says; of a fault that is its own, the end is shown */
async function expectStatus(reply: Promise<Reply>, status: number, log: () => string): Promise<Reply> {
  const got = await reply;
  if (got.status === status) return got;
  const reason = got.status >= 500 ? `\n${log().slice(-2_000)}` : "";
  throw new Error(`expected ${status}, got ${got.status}: ${JSON.stringify(got.body)}${reason}`);
}

async function readyOrigin(child: ChildProcess, stderr: () => string): Promise<string> {
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
