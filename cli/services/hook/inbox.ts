/** The inbox that a hook reads: its daemon, handle and credential. Loads the SDK only to renew a token. */
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
import { type InboxPage, readInbox, UnexpectedStatus } from "./read-inbox.js";

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

  /** @param waitSeconds time that the service holds the request while nothing is unread */
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
