/** The accounts and wires of a service that is attacked, made once and copied for each attack. */
import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDaemon, type TestDaemon } from "../test/harness/daemon.js";
import { databaseUrlOf, withDatabaseAt } from "../test/harness/database.js";
import { confirmationCodes, PASSWORD } from "../test/harness/human.js";
import type { Target } from "./attack.js";
import type { Human, OrdinaryAgent } from "./ordinary-agents.js";

export interface World {
  agents: OrdinaryAgent[];
  human: Human;
  /** The target without the origin, which differs between daemons. */
  target: Omit<Target, "origin">;
  /** Starts a daemon on a copy of the world. */
  start(): Promise<TestDaemon>;
}

const AGENTS = 10;
/** Maximum number of accounts that own the agents. Passwords are hashed as slowly as in production. */
const ACCOUNTS = 5;
/** Number of handles that an account may create in an hour. */
const ATTACKING_HANDLES = 20;
const INVISIBLE_WIRES = 20_000;
const SPACE = "common-room";
const HEAP_MIB = 512;
const OPEN_FILES = 1_024;
const DAY_MS = 86_400_000;
/** All daemons have the same public URL, because it is the issuer of the ID tokens. */
const ARGS = ["--trusted-proxies", "127.0.0.1", "--public-url", "https://attacked.example"];
/** The default limits, which the harness otherwise turns off. */
const HANDLE_LIMITS = ["handles_per_account=50", "handles_per_hour=20", "keys_per_handle=20"].flatMap(
  (limit) => ["--limit", limit],
);
const NO_WIRE_LIMITS = ["account_factor", "wires_per_minute", "wires_per_day"].flatMap((name) => [
  "--limit",
  `${name}=none`,
]);

/**
 * @param folder an empty folder for the world and its copies
 * @param scale size of the world: 1 in the campaign, less in `npm test`
 */
export async function createWorld(folder: string, scale: number): Promise<World> {
  const dataDir = join(folder, "world");
  const args = [...ARGS, ...NO_WIRE_LIMITS, "--log-level", "info"];
  const daemon = await startDaemon({ embeddedIdentity: true, dataDir, args });
  try {
    const owners = Math.ceil(ACCOUNTS * scale);
    const accounts = await Promise.all(Array.from({ length: owners + 1 }, (_, n) => signUp(daemon, n)));
    const attacker = accounts.pop()!;
    const agents = await Promise.all(
      Array.from({ length: AGENTS }, async (_, n) => ({
        ...(await createHandle(daemon, accounts[n % owners]!.idToken, `agent-${n}`)),
        peer: `agent-${(n + 1) % AGENTS}`,
      })),
    );
    const slugs = Array.from({ length: ATTACKING_HANDLES }, (_, n) => `mallory-${n}`);
    const handles = await Promise.all(slugs.map((slug) => createHandle(daemon, attacker.idToken, slug)));
    const room = { slug: SPACE, visibility: "public" };
    await call(daemon, "POST", "/v1/spaces", agents[0]!.key, room);
    const thread = await createThread(daemon, handles, INVISIBLE_WIRES * scale);
    await daemon.stop();
    // Otherwise the thread's wires would count against the attacker's rate limits.
    await withDatabaseAt(databaseUrlOf(dataDir), (database) =>
      database.run(`UPDATE wires SET created_at = created_at - ${2 * DAY_MS}`),
    );
    const others = agents.map(({ slug }) => slug);
    return {
      ...{ agents, human: accounts[0]! },
      target: { handles, idToken: attacker.idToken, thread, space: SPACE, others },
      start: () => startCopy(folder, dataDir),
    };
  } finally {
    await daemon.kill();
  }
}

async function startCopy(folder: string, world: string): Promise<TestDaemon> {
  const dataDir = await mkdtemp(join(folder, "attack-"));
  await cp(world, dataDir, { recursive: true });
  return startDaemon({
    ...{ embeddedIdentity: true, dataDir, args: [...ARGS, ...HANDLE_LIMITS, "--log-level", "warn"] },
    launcher: ["prlimit", `--nofile=${OPEN_FILES}:${OPEN_FILES}`],
    env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` },
  });
}

/** Creates an account, and signs in. */
async function signUp(daemon: TestDaemon, n: number): Promise<Human & { idToken: string }> {
  const human = { email: `human${n}@example.com`, password: PASSWORD, source: `198.51.${n}.7` };
  const { email, password, source } = human;
  const headers = { "x-forwarded-for": source };
  await call(daemon, "POST", "/identity/sign-up", undefined, { email, password }, headers);
  const code = await codeFor(daemon, email);
  await call(daemon, "POST", "/identity/confirm", undefined, { email, password, code }, headers);
  const response = await fetch(`${daemon.origin}/identity/token`, {
    method: "POST",
    headers,
    body: new URLSearchParams({
      grant_type: "urn:wireroom:params:oauth:grant-type:password",
      ...{ client_id: "wireroom-cli", username: email, password, scope: "openid email offline_access" },
    }),
  });
  const { id_token: idToken } = (await response.json()) as { id_token: string };
  return { ...human, idToken };
}

async function codeFor(daemon: TestDaemon, email: string): Promise<string> {
  for (;;) {
    const code = confirmationCodes(daemon.log(), email).at(-1);
    if (code !== undefined) return code;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function createHandle(
  daemon: TestDaemon,
  idToken: string,
  slug: string,
): Promise<{ slug: string; key: string }> {
  const { id } = await call(daemon, "POST", "/v1/handles", idToken, { slug });
  const { key } = await call(daemon, "POST", "/v1/keys", idToken, { handle_id: id });
  return { slug, key: key! };
}

/**
 * Creates a thread that the first handle begins. All other wires are between the second and the third handle,
 * so the first one sees only the root.
 */
async function createThread(
  daemon: TestDaemon,
  [first, second, third]: readonly { slug: string; key: string }[],
  wires: number,
): Promise<Target["thread"]> {
  const post = (key: string, body: object) => call(daemon, "POST", "/v1/wires", key, body);
  const root = (await post(first!.key, { to: `@${second!.slug}`, text: "root" })).id!;
  const hop = (await post(second!.key, { to: `@${third!.slug}`, text: "hop", reply_to: root })).id!;
  let left = wires;
  const sender = async () => {
    while (left-- > 0) await post(third!.key, { to: `@${second!.slug}`, text: "x", reply_to: hop });
  };
  await Promise.all(Array.from({ length: 64 }, sender));
  return { root, hop };
}

async function call(
  { origin }: TestDaemon,
  method: string,
  path: string,
  token: string | undefined,
  body: object,
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
  return text === "" ? {} : JSON.parse(text);
}

/** Returns the folder for the world: a new one below the system's temporary folder. */
export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "wireroom-attacks-"));
}
