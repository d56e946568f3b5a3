/** What every command is given: flags and environment, the output, questions, and clients that are created on demand. */
import type { Wireroom, WireroomDashboard, WireroomDashboardOptions } from "../sdk/src/index.js";
import { Ask } from "./input/ask.js";
import type { Named } from "./output/next-steps.js";
import { Output } from "./output/output.js";
import { bare, type Choices, checkHome, keyOf, urlOf } from "./profiles/endpoint.js";
import { DEFAULT_PROFILE, profileFile } from "./profiles/folder.js";
import { changeProfile, type Profile, readProfile } from "./profiles/profile.js";
import type { Surroundings } from "./surroundings.js";

/** The flags that every command takes (`program.ts`). */
export interface SharedFlags {
  profile?: string | undefined;
  as?: string | undefined;
  url?: string | undefined;
  json?: boolean | undefined;
  yes?: boolean | undefined;
  color?: boolean | undefined;
}

/** Errors show soon: within a second if nothing listens, and at once for a rate limit, as `--retry` does the waiting. */
const RETRY_SETTINGS = { timeout: 15_000, maxRetries: 2, maxRetryAfter: 0 } as const;

export class Session {
  readonly output: Output;
  /** Questions; they end the command where nobody can be asked. */
  readonly ask: Ask;
  readonly env: NodeJS.ProcessEnv;
  /** What the command is about; advice in error messages names it. */
  named: Named = {};
  /** Name of the profile. */
  readonly profileName: string;
  readonly #file: string;
  readonly #closing: (() => Promise<void>)[] = [];
  #profile: Promise<Profile> | undefined;

  constructor(
    readonly flags: SharedFlags,
    readonly surroundings: Surroundings,
  ) {
    const { env, stdout, stderr } = surroundings;
    this.env = env;
    this.output = new Output({ json: flags.json === true, colour: flags.color, env, stdout, stderr });
    const { stdin } = surroundings;
    this.ask = new Ask({ canAsk: this.canAsk, yes: flags.yes === true, stdin, stderr });
    this.profileName = flags.profile ?? (env.WIREROOM_PROFILE || DEFAULT_PROFILE);
    this.#file = profileFile(this.profileName, env);
  }

  /** Whether a person can be asked: never in a pipe, and never where the output is for a program. */
  get canAsk(): boolean {
    const { stdin, stderr } = this.surroundings;
    return stdin.isTTY === true && stderr.isTTY === true && !this.output.json;
  }

  get choices(): Choices {
    return { url: this.flags.url, as: this.flags.as, env: this.env };
  }

  /** The profile as it was when the command began. */
  profile(): Promise<Profile> {
    this.#profile ??= readProfile(this.#file);
    return this.#profile;
  }

  /** Changes the profile's file. */
  async changeProfile(change: (profile: Profile) => Profile | Promise<Profile>): Promise<void> {
    this.#profile = Promise.resolve(await changeProfile(this.#file, change));
  }

  /** The REST base url of the daemon that is spoken to. */
  async url(): Promise<string> {
    return urlOf(this.choices, await this.profile());
  }

  /** A client that acts as a handle. Throws `NO_CREDENTIALS`. */
  async agent(): Promise<Wireroom> {
    const profile = await this.profile();
    const apiKey = keyOf(this.choices, profile);
    this.named.own = bare(
      this.flags.as ?? (this.env.WIREROOM_API_KEY ? "" : this.env.WIREROOM_HANDLE || profile.handle || ""),
    );
    const { Wireroom } = await import("../sdk/src/index.js");
    return this.#keep(new Wireroom({ baseUrl: await this.url(), apiKey, ...RETRY_SETTINGS }));
  }

  /** A client that acts as the human. Throws `NO_CREDENTIALS`. */
  async dashboard(): Promise<WireroomDashboard> {
    const { WIREROOM_ID_TOKEN: given } = this.env;
    if (given) return this.asHuman(given);
    const profile = await this.profile();
    if (profile.signIn) checkHome(this.choices, profile, "sign-in");
    const { idTokenSource } = await import("./work/sign-in/id-token.js");
    return this.asHuman(
      await idTokenSource({
        url: await this.url(),
        profile: () => this.profile(),
        changeProfile: (change) => this.changeProfile(change),
      }),
    );
  }

  /** A client that acts with this ID token. */
  async asHuman(idToken: NonNullable<WireroomDashboardOptions["idToken"]>): Promise<WireroomDashboard> {
    const { WireroomDashboard } = await import("../sdk/src/index.js");
    return this.#keep(new WireroomDashboard({ baseUrl: await this.url(), idToken, ...RETRY_SETTINGS }));
  }

  /** Closes what was opened. */
  async close(): Promise<void> {
    this.ask.close();
    await Promise.all(this.#closing.map((close) => close().catch(() => {})));
  }

  #keep<Client extends { close(): Promise<void> }>(client: Client): Client {
    this.#closing.push(() => client.close());
    return client;
  }
}
