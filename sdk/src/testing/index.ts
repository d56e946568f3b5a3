/** Starts a real daemon for tests of programs that use Wireroom. */

import { Wireroom, WireroomDashboard } from "../api.js";
import { LIMIT_SETTINGS } from "../generated/limit-settings.js";
import { findCommand } from "./command.js";
import { startDaemon } from "./daemon.js";
import { AUDIENCE, startIssuer } from "./issuer.js";

/** Options of {@link startWireroom}. */
export interface StartOptions<Slug extends string = string> {
  /** Slugs of the handles to create, without `@`. All belong to one human. Default: none. */
  handles?: readonly Slug[] | undefined;
  /**
   * Flags for `wireroom daemon`. By default, the daemon has no rate limits.
   *
   * @example ["--limit", "wires_per_minute=5"]
   */
  args?: readonly string[] | undefined;
  /** Path of the `wireroom` command's JavaScript file. Default: the one in the installed package. */
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
  /** The client of the human who owns the handles. Use it, for example, to approve wires. */
  readonly dashboard: WireroomDashboard;
  /**
   * Creates a handle with an API key and returns its client. Tests that share a daemon can use this to have
   * their own handles.
   * @param human name of the human who owns the handle; default: the human of {@link dashboard}
   */
  createHandle(slug: string, human?: string): Promise<Wireroom>;
  /**
   * Returns an ID token for a human, by default the human who owns the handles. The `wireroom` command reads
   * it from `WIREROOM_ID_TOKEN`.
   */
  idToken(human?: string): string;
  /** Returns the client of another human. The same name always means the same account. */
  human(name: string): WireroomDashboard;
  /**
   * Returns `WIREROOM_URL` and `WIREROOM_API_KEY`, for the environment of a process that acts as the handle.
   */
  env(slug: Slug): { WIREROOM_URL: string; WIREROOM_API_KEY: string };
  /** Stops the daemon and deletes its data. Pending calls of the clients reject. */
  close(): Promise<void>;
}

const OWNER = "owner";

/**
 * Starts a daemon on a free port with an empty database in a temporary folder. Starting is slow, so share one
 * daemon between tests. The daemon ends with the test process, even if that process is killed. Rejects with
 * an `Error` if the package `wireroom` is not installed or the daemon cannot start.
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
