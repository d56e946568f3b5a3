/** The session of one command: flags, environment, output and prompts. Creates SDK clients on demand. */
import type { Wireroom, WireroomDashboard, WireroomDashboardOptions } from "../sdk/src/api.js";
import { Failure } from "./failure.js";
import { Prompt } from "./input/prompt.js";
import type { HintNames } from "./output/hints.js";
import { type JsonFlags, wantsJson } from "./output/json/flags.js";
import { Output } from "./output/output.js";
import type { ProcessIO } from "./process-io.js";
import {
  activeHandle,
  apiKeyFor,
  assertSameDaemon,
  daemonUrl,
  type EndpointOptions,
  fitsHeader,
  isLoopback,
  noCredentials,
} from "./profiles/endpoint.js";
import { DEFAULT_PROFILE, profileFile, tokenFile } from "./profiles/folder.js";
import { changeProfile, type Profile, readProfile } from "./profiles/profile.js";

/**
 * Returns a token for the next request.
 * @param refused a token that the service rejected, so a new one is needed
 */
export type TokenSource = (refused?: string) => Promise<string>;

export interface SharedFlags extends JsonFlags {
  profile?: string | undefined;
  as?: string | undefined;
  url?: string | undefined;
  yes?: boolean | undefined;
  color?: boolean | undefined;
}

/** Limits the SDK's retries, so that errors appear quickly. `--retry` repeats rate-limited calls. */
const RETRY_SETTINGS = {
  timeout: 15_000,
  maxRetries: 2,
  maxRetryAfter: 0,
  logger: { debug() {}, warn() {} },
} as const;

/** Variables that `wireroom watch`, `space work` and coding agents set for the commands that they run. */
export const PROGRAM_VARIABLES = [
  "WIREROOM_ID",
  "AI_AGENT",
  "CLAUDECODE",
  "CODEX_THREAD_ID",
  "COPILOT_CLI",
  "CURSOR_AGENT",
  "GEMINI_CLI",
  "OPENCODE",
];

const warnedRuns = new WeakSet<ProcessIO>();

export class Session {
  readonly output: Output;
  readonly prompt: Prompt;
  readonly env: NodeJS.ProcessEnv;
  hintNames: HintNames = {};
  readonly profileName: string;
  /** The file with the profile's access tokens. */
  readonly tokenFile: string;
  readonly #file: string;
  readonly #closing: (() => Promise<void>)[] = [];
  #profile: Promise<Profile> | undefined;

  constructor(
    readonly flags: SharedFlags,
    readonly io: ProcessIO,
  ) {
    const { env, stdout, stderr } = io;
    this.env = env;
    this.output = new Output({
      json: wantsJson(flags),
      colour: flags.color,
      env,
      context: flags,
      stdout,
      stderr,
    });
    const { stdin } = io;
    this.prompt = new Prompt({ isAvailable: this.canPrompt, yes: flags.yes === true, stdin, stderr });
    this.profileName = flags.profile ?? (env.WIREROOM_PROFILE || DEFAULT_PROFILE);
    this.#file = profileFile(this.profileName, env);
    this.tokenFile = tokenFile(this.profileName, env);
  }

  get canPrompt(): boolean {
    const { stdin, stderr } = this.io;
    return stdin.isTTY === true && stderr.isTTY === true && !this.output.json;
  }

  get endpointOptions(): EndpointOptions {
    return { url: this.flags.url, as: this.flags.as, env: this.env };
  }

  /** Reads the file only once, so that the whole command uses the same content. */
  profile(): Promise<Profile> {
    this.#profile ??= readProfile(this.#file);
    return this.#profile;
  }

  async changeProfile(change: (profile: Profile) => Profile | Promise<Profile>): Promise<void> {
    this.#profile = Promise.resolve(await changeProfile(this.#file, change));
  }

  async url(): Promise<string> {
    return daemonUrl(this.endpointOptions, await this.profile());
  }

  /** Warns once if the secrets would be sent unencrypted. */
  async urlForSecrets(): Promise<string> {
    const url = await this.url();
    const { protocol, hostname, origin } = new URL(url);
    if (protocol === "http:" && !isLoopback(hostname) && !warnedRuns.has(this.io)) {
      warnedRuns.add(this.io);
      this.output.warn(
        `warning: the connection to ${origin} is not encrypted, so others on the network can read keys, tokens and passwords; use https`,
      );
    }
    return url;
  }

  /**
   * Whether a program, such as a coding agent, runs the command. False with `WIREROOM_ID_TOKEN`, because the
   * human has then chosen to let the program act as themselves.
   */
  get #isProgram(): boolean {
    return PROGRAM_VARIABLES.some((name) => Boolean(this.env[name])) && !this.env.WIREROOM_ID_TOKEN;
  }

  async clientFor({ auth, method }: { auth: string; method: string }): Promise<Wireroom | WireroomDashboard> {
    if (auth !== "key") return this.dashboard();
    return method === "GET" ? this.agent() : this.writer();
  }

  async agent(credential = this.agentCredential()): Promise<Wireroom> {
    const apiKey = await credential;
    // Import `api.js`, which uses `fetch`, because `index.js` would load undici, which takes as long as the
    // rest of a command.
    const { Wireroom } = await import("../sdk/src/api.js");
    return this.#closeLater(new Wireroom({ baseUrl: await this.urlForSecrets(), apiKey, ...RETRY_SETTINGS }));
  }

  /** Returns the client of a command that sends or changes something. */
  async writer(): Promise<Wireroom> {
    return this.#isProgram ? this.program() : this.agent();
  }

  /** Returns the client of a program, which uses `programCredential`. */
  async program(): Promise<Wireroom> {
    return this.agent(this.programCredential());
  }

  /** Like `agentCredential`, but issues and saves a key instead of using the human's sign-in. */
  async programCredential(): Promise<string | TokenSource> {
    const credential = await this.agentCredential(true);
    const { activeHandle } = this.hintNames;
    if (typeof credential === "string" || activeHandle === undefined) return credential;
    if (this.env.WIREROOM_ID_TOKEN)
      throw new Failure(
        "NO_CREDENTIALS",
        "this command needs an API key: with an ID token, it would act as you",
        [`export WIREROOM_API_KEY=$(wireroom key issue @${activeHandle})`],
      );
    const { issueProgramKey } = await import("./services/sign-in/stored-sign-in.js");
    const key = await issueProgramKey(this, activeHandle);
    this.hintNames.isSignedIn = false;
    this.output.note(
      `issued a key of @${activeHandle} for programs, and saved it in the profile ${this.profileName}`,
    );
    return key;
  }

  async agentCredential(isProgram = this.#isProgram): Promise<string | TokenSource> {
    const profile = await this.profile();
    const key = apiKeyFor({ ...this.endpointOptions, isProgram }, profile);
    const isByVariable = this.flags.as === undefined && Boolean(this.env.WIREROOM_API_KEY);
    let handle = isByVariable ? undefined : activeHandle(this.endpointOptions, profile);
    this.hintNames.activeHandle = handle;
    this.hintNames.isKeyFromEnvironment = isByVariable;
    this.hintNames.programKey = Object.values(profile.programKeys ?? {}).find((issued) => issued === key);
    this.hintNames.isSignedIn = false;
    if (key !== undefined) return key;
    if (!this.env.WIREROOM_ID_TOKEN && !profile.signIn) throw noCredentials(this.endpointOptions, profile);
    const { handleTokenSource, onlyHandle } = await import("./services/sign-in/tokens.js");
    handle ??= await onlyHandle(this);
    this.hintNames.activeHandle = handle;
    this.hintNames.isSignedIn = true;
    return handleTokenSource(this, handle);
  }

  async dashboard(): Promise<WireroomDashboard> {
    return this.asHuman(this.#givenIdToken() ?? (await this.idTokenSource()));
  }

  async idToken(): Promise<string> {
    const given = this.#givenIdToken();
    if (given !== undefined) return given;
    const { signIn } = await this.profile();
    return signIn?.idToken ?? (await (await this.idTokenSource())());
  }

  #givenIdToken(): string | undefined {
    const idToken = this.env.WIREROOM_ID_TOKEN?.trim();
    if (idToken && !fitsHeader(idToken))
      throw new Failure("NO_CREDENTIALS", "WIREROOM_ID_TOKEN is not an ID token");
    return idToken || undefined;
  }

  async idTokenSource(): Promise<TokenSource> {
    const profile = await this.profile();
    if (profile.signIn) assertSameDaemon(this.endpointOptions, profile, "sign-in");
    const { idTokenSource } = await import("./services/sign-in/tokens.js");
    return idTokenSource(this);
  }

  async asHuman(idToken: NonNullable<WireroomDashboardOptions["idToken"]>): Promise<WireroomDashboard> {
    const { WireroomDashboard } = await import("../sdk/src/api.js");
    return this.#closeLater(
      new WireroomDashboard({ baseUrl: await this.urlForSecrets(), idToken, ...RETRY_SETTINGS }),
    );
  }

  /** Closing this session also closes the returned session. */
  withProfile(profile: string | undefined): Session {
    const session = new Session({ ...this.flags, profile }, this.io);
    this.#closing.push(() => session.close());
    return session;
  }

  async close(): Promise<void> {
    this.prompt.close();
    await Promise.all(this.#closing.map((close) => close().catch(() => {})));
  }

  #closeLater<Client extends { close(): Promise<void> }>(client: Client): Client {
    this.#closing.push(() => client.close());
    return client;
  }
}
