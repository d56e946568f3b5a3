/** Starts a real daemon for the tests of programs that use Wireroom. */

import { Wireroom, WireroomDashboard } from "../api.js";
import { LIMIT_SETTINGS } from "../generated/limit-settings.js";
import { findCommand } from "./command.js";
import { startDaemon } from "./daemon.js";
import { AUDIENCE, startIssuer } from "./issuer.js";

/** Options of {@link startWireroom}. */
export interface StartOptions<Slug extends string = string> {
  /** Slugs of the handles to create, without `@`. They belong to one human. Default: none. */
  handles?: readonly Slug[] | undefined;
  /**
   * Flags of `wireroom daemon`. By default, the daemon has no rate limits.
   *
   * @example ["--limit", "wires_per_minute=5"]
   */
  args?: readonly string[] | undefined;
  /**
   * Path of the JavaScript file of the command `wireroom`. Default: the one of the installed package
   * `wireroom`.
   */
  command?: string | undefined;
}

/** A running daemon with handles. */
export interface TestWireroom<Slug extends string = string> extends AsyncDisposable {
  /** The base URL of the REST API. */
  readonly baseUrl: string;
  /** The URL of the MCP endpoint. */
  readonly mcpUrl: string;
  /** A client for each handle, by slug. */
  readonly handles: Readonly<Record<Slug, Wireroom>>;
  /** The API key of each handle, by slug. */
  readonly keys: Readonly<Record<Slug, string>>;
  /** The client of the human who owns the handles, for example to approve wires. */
  readonly dashboard: WireroomDashboard;
  /**
   * Creates a handle with an API key, and returns its client. Other tests on the same daemon can so have
   * handles of their own.
   * @param human name of the human who owns it; default: the human of {@link dashboard}
   */
  createHandle(slug: string, human?: string): Promise<Wireroom>;
  /**
   * Returns an ID token of a human; default: of the human who owns the handles. `wireroom` reads it from
   * `WIREROOM_ID_TOKEN`.
   */
  idToken(human?: string): string;
  /** Returns the client of another human. Equal names are the same account. */
  human(name: string): WireroomDashboard;
  /**
   * Returns the environment variables with which a process acts as the handle: `WIREROOM_URL` and
   * `WIREROOM_API_KEY`.
   */
  env(slug: Slug): { WIREROOM_URL: string; WIREROOM_API_KEY: string };
  /** Stops the daemon and deletes its data. Pending calls of the clients are rejected. */
  close(): Promise<void>;
}

const OWNER = "owner";

/**
 * Starts a daemon on a free port with an empty database in a temporary folder. Start one for many tests,
 * because the start takes most of a second. The daemon ends with the process of the tests, even if that is
 * killed. Rejects with an `Error` if the package `wireroom` is not installed, or if the daemon cannot start.
 *
 * @example
 * ```ts
 * const room = await startWireroom({ handles: ["alice", "bob"] });
 * await room.handles.alice.wires.send({ to: "@bob", text: "hi" });
 * await room.close();
 * ```
 */
export async function startWireroom<const Slug extends string = never>({
  handles = [],
  args = [],
  command = findCommand(),
}: StartOptions<Slug> = {}): Promise<TestWireroom<Slug>> {
  const issuer = await startIssuer();
  const daemon = await startDaemon(command, [
    ...["--oidc-issuer", issuer.url, "--oidc-audience", AUDIENCE, "--log-level", "warn"],
    ...LIMIT_SETTINGS.flatMap((name) => ["--limit", `${name}=none`]),
    ...args,
  ]).catch((error: unknown) => {
    issuer.close();
    throw error;
  });

  const { baseUrl, mcpUrl } = daemon;
  const clients: Record<string, Wireroom> = {};
  const keys: Record<string, string> = {};
  const human = (name: string) => new WireroomDashboard({ baseUrl, idToken: () => issuer.token(name) });
  const dashboard = human(OWNER);
  const close = async () => {
    await daemon.stop();
    issuer.close();
  };

  const room: TestWireroom<Slug> = {
    baseUrl,
    mcpUrl,
    handles: clients as Record<Slug, Wireroom>,
    keys: keys as Record<Slug, string>,
    dashboard,
    human,
    idToken: (name = OWNER) => issuer.token(name),
    async createHandle(slug, owner = OWNER) {
      const account = owner === OWNER ? dashboard : human(owner);
      const { id } = await account.handles.create({ slug });
      const { key } = await account.keys.issue({ handle_id: id });
      keys[slug] = key;
      clients[slug] = new Wireroom({ baseUrl, apiKey: key });
      return clients[slug];
    },
    env: (slug) => ({ WIREROOM_URL: baseUrl, WIREROOM_API_KEY: keys[slug]! }),
    close,
    [Symbol.asyncDispose]: close,
  };
  try {
    await Promise.all(handles.map((slug) => room.createHandle(slug)));
  } catch (error) {
    await close();
    throw error;
  }
  return room;
}
