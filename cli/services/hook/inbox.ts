/** The inbox that a hook reads: its daemon, handle and credential. Loads the SDK only to renew a token. */
import type { InboxReadOutput } from "../../../sdk/src/api.js";
import { shellQuoted } from "../../output/shell-quote.js";
import type { ProcessIO } from "../../process-io.js";
import {
  activeHandle,
  apiKeyFor,
  daemonUrl,
  type EndpointOptions,
  noCredentials,
} from "../../profiles/endpoint.js";
import { configFolder, DEFAULT_PROFILE, profileFile, tokenFile } from "../../profiles/folder.js";
import { type Profile, readProfile } from "../../profiles/profile.js";
import { accountOf, readToken } from "../../profiles/token-cache.js";
import { applyEnvironmentProxy } from "../environment-proxy.js";

export interface InboxFlags {
  profile?: string | undefined;
  as?: string | undefined;
  url?: string | undefined;
}

export class HookInbox {
  readonly folder: string;
  readonly handle: string | undefined;
  /** The command that reads this inbox. */
  readonly command: string;

  private constructor(
    private readonly flags: InboxFlags,
    private readonly io: ProcessIO,
    readonly profileName: string,
    private readonly profile: Profile,
  ) {
    this.folder = configFolder(io.env);
    const hasOwnKey = io.env.WIREROOM_API_KEY && flags.as === undefined;
    this.handle = hasOwnKey ? undefined : activeHandle(this.#options, profile);
    const named = {
      profile: profileName === DEFAULT_PROFILE ? undefined : profileName,
      as: this.handle && `@${this.handle}`,
      url: flags.url,
    };
    const words = Object.entries(named).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}`, shellQuoted(value)],
    );
    this.command = ["wireroom inbox", ...words].join(" ");
  }

  static async open(flags: InboxFlags, io: ProcessIO): Promise<HookInbox> {
    const env = hostEnvironment(io.env);
    const profileName = flags.profile ?? (env.WIREROOM_PROFILE || DEFAULT_PROFILE);
    const profile = await readProfile(profileFile(profileName, env));
    return new HookInbox(flags, { ...io, env }, profileName, profile);
  }

  get #options(): EndpointOptions {
    return { url: this.flags.url, as: this.flags.as, env: this.io.env, isProgram: true };
  }

  /** @param waitSeconds seconds for which the service holds the request while nothing is unread */
  async read(signal: AbortSignal, waitSeconds?: number): Promise<InboxPage> {
    const url = daemonUrl(this.#options, this.profile);
    const key = apiKeyFor(this.#options, this.profile);
    if (key !== undefined) return readInbox(url, key, signal, waitSeconds);
    const cached = await this.#cachedToken(url);
    if (cached !== undefined) {
      try {
        return await readInbox(url, cached, signal, waitSeconds);
      } catch (error) {
        if (!(error instanceof UnexpectedStatus) || error.status !== 401) throw error;
      }
    }
    return readInbox(url, await this.#newToken(cached), signal, waitSeconds);
  }

  async #cachedToken(url: string): Promise<string | undefined> {
    const idToken = this.io.env.WIREROOM_ID_TOKEN?.trim() || this.profile.signIn?.idToken;
    if (!idToken) throw noCredentials(this.#options, this.profile);
    if (this.handle === undefined) return undefined;
    const owner = { url, account: accountOf(idToken), handle: this.handle };
    return readToken(tokenFile(this.profileName, this.io.env), owner);
  }

  /**
   * Returns a new access token for the signed-in human's handle.
   * @param refused the stored token, if the daemon has rejected it
   */
  async #newToken(refused?: string): Promise<string> {
    const { Session } = await import("../../session.js");
    const session = new Session(this.flags, this.io);
    try {
      const credential = await session.agentCredential();
      return typeof credential === "string" ? credential : await credential(refused);
    } finally {
      await session.close();
    }
  }
}

/** Adds the options of the Claude Code plugin, which the host passes as environment variables. */
function hostEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { CLAUDE_PLUGIN_OPTION_PROFILE: profile, CLAUDE_PLUGIN_OPTION_HANDLE: handle } = env;
  return {
    ...env,
    ...(profile && { WIREROOM_PROFILE: profile }),
    ...(handle && { WIREROOM_HANDLE: handle }),
  };
}

const PAGE_LIMIT = 100;
/** Maximum response size. The service's pages are smaller, so this only protects against other servers. */
const MAX_BYTES = 32 * 1024 * 1024;

export class UnexpectedStatus extends Error {
  override readonly name = "UnexpectedStatus";

  constructor(readonly status: number | undefined) {
    super(`status ${status}`);
  }
}

export interface InboxPage {
  page: InboxReadOutput;
  /** Whether a next page may exist. The hook does not read it, because that would acknowledge this page. */
  mayHaveMore: boolean;
}

/**
 * A page has at most 4 MiB. If a page is at least this large, more items may follow, because the next item
 * may not have fitted: one wire's JSON has at most 1.1 MiB (docs/specification/limits.md#sizes).
 */
const FULL_PAGE_BYTES = 2.8 * 1024 * 1024;
/** A page of `FULL_PAGE_BYTES` contains at least this many wires with long content. */
const LARGE_WIRES = 3;

/** Returns the first page of unread items, with cut texts and without payloads. */
async function readInbox(
  baseUrl: string,
  credential: string,
  signal: AbortSignal,
  waitSeconds = 0,
): Promise<InboxPage> {
  const read = (query: string) =>
    getInbox(`${baseUrl}/inbox?limit=${PAGE_LIMIT}${query}`, credential, signal);
  const page = JSON.parse((await read(`&brief=true&wait=${waitSeconds}`)).toString()) as InboxReadOutput;
  const items = Object.values(page).filter(Array.isArray).flat();
  if (items.length >= PAGE_LIMIT) return { page, mayHaveMore: true };
  if (page.wires.filter(({ cut }) => cut).length < LARGE_WIRES) return { page, mayHaveMore: false };
  // Read the same page with whole texts. Its size shows whether more items would have fitted.
  const { length } = await read("");
  return { page, mayHaveMore: length >= FULL_PAGE_BYTES };
}

/** Uses Node's own HTTP client, because it loads faster than the SDK. */
async function getInbox(address: string, credential: string, signal: AbortSignal): Promise<Buffer> {
  const url = new URL(address);
  const headers = { authorization: `Bearer ${credential}`, accept: "application/json" };
  // Node's own client uses no proxy.
  if (await applyEnvironmentProxy(process.env)) {
    const response = await fetch(url, { headers, signal, redirect: "manual" });
    if (response.status !== 200) throw new UnexpectedStatus(response.status);
    return Buffer.from(await response.arrayBuffer());
  }
  const { get } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false, signal }, (response) => {
      if (response.statusCode !== 200) return void request.destroy(new UnexpectedStatus(response.statusCode));
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_BYTES) request.destroy(new Error("the page is too large"));
        else chunks.push(chunk);
      });
      response.once("error", reject);
      response.once("end", () => resolve(Buffer.concat(chunks)));
    });
    request.once("error", reject);
  });
}
