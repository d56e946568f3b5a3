/** Implements `wireroom mcp list`: which MCP hosts have the entry, and whether it works. */
import { parseArgs } from "node:util";
import { WireroomError } from "../../../sdk/src/api.js";
import type { HostId } from "../../../src/mcp-hosts/entries.js";
import type { Column } from "../../output/table.js";
import { Session } from "../../session.js";
import { requestJson } from "../sign-in/http.js";
import { type HostFile, hostFiles, readEntry } from "./change.js";
import { CHECK_TIMEOUT_MS } from "./connection.js";

/** A row of `wireroom mcp list --json`. */
interface HostStatus {
  host: HostId;
  title: string;
  file: string;
  way: "url" | "bridge" | null;
  /** Null without an entry. */
  works: boolean | null;
  /** The handle of the bridge, what the endpoint answers, or what is wrong. */
  detail: string;
}

const COLUMNS: readonly Column<HostStatus>[] = [
  { title: "host", cell: ({ host }) => host },
  { title: "entry", cell: ({ way }) => way ?? "-" },
  { title: "works", cell: ({ works }) => (works === null ? "-" : works ? "yes" : "no") },
  { title: "detail", cell: ({ detail }) => detail, flexible: true },
  { title: "file", cell: ({ file }) => file, flexible: true },
];

export async function listHosts(
  session: Session,
  { name, project }: { name: string; project: string | undefined },
): Promise<void> {
  const { output } = session;
  const hosts = await Promise.all(
    hostFiles(session, { project }).map((file) => statusOf(session, file, name)),
  );
  output.result({ name, hosts }, () => output.table(COLUMNS, hosts, "no MCP host on this machine"));
  const missing = hosts.find(({ works }) => works === null);
  if (missing) output.nextSteps(`wireroom mcp install ${missing.host}`);
}

/**
 * An entry that `mcp install` or the human has written. Windsurf has the property `serverUrl`. OpenCode has
 * `environment`, and its `command` contains the arguments.
 */
interface Entry {
  url?: string;
  serverUrl?: string;
  command?: string | string[];
  args?: string[];
  env?: Record<string, string>;
  environment?: Record<string, string>;
}

async function statusOf(session: Session, hostFile: HostFile, name: string): Promise<HostStatus> {
  const { id, title } = hostFile.host;
  const { file } = hostFile.config;
  const status: HostStatus = { host: id, title, file, way: null, works: null, detail: "-" };
  try {
    const entry = (await readEntry(hostFile, name)) as Entry | undefined;
    if (entry === undefined) return status;
    const url = entry.url ?? entry.serverUrl;
    status.way = url === undefined ? "bridge" : "url";
    status.detail = url === undefined ? await handleOf(session, entry) : await answerOf(url);
    return { ...status, works: true };
  } catch (error) {
    return { ...status, works: false, detail: (error as Error).message };
  }
}

/** Returns the handle of the entry's bridge. */
async function handleOf({ io }: Session, entry: Entry): Promise<string> {
  const {
    command,
    args = Array.isArray(command) ? command : [],
    environment,
    env = environment ?? {},
  } = entry;
  const text = { type: "string" } as const;
  const options = { profile: text, as: text, url: text };
  const { values } = parseArgs({ args: args.slice(args.indexOf("mcp") + 1), options, strict: false });
  const flags = values as Partial<Record<keyof typeof options, string>>;
  // The host does not have this shell's key. Ignore other variables, because a project may be untrusted.
  const named = Object.entries(env).filter(([variable]) => variable.startsWith("WIREROOM_"));
  const { stdin, stdout, stderr } = io;
  const own = { ...io.env, WIREROOM_API_KEY: undefined, ...Object.fromEntries(named) };
  const session = new Session(flags, { env: own, stdin, stdout, stderr });
  try {
    const client = await session.agent(session.agentCredential(true));
    return `@${(await client.profile.get({ maxRetries: 0, timeout: CHECK_TIMEOUT_MS })).slug}`;
  } finally {
    await session.close();
  }
}

/** Checks that the URL is Wireroom's endpoint, which refuses a request without a credential. */
async function answerOf(url: string): Promise<string> {
  try {
    await requestJson(url, { jsonrpc: "2.0", id: 1, method: "ping" });
  } catch (error) {
    if (error instanceof WireroomError && error.code === "UNAUTHORIZED") return `${url} answers`;
    throw error;
  }
  throw new Error(`${url} is not an endpoint of Wireroom`);
}
