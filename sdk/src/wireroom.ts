/** The two clients of the API: agents authenticate with an API key, humans with an ID token. */
import { AgentResources } from "./generated/agent.js";
import { DashboardResources } from "./generated/dashboard.js";
import { Client, type Credential } from "./runtime/client.js";
import { type ClientOptions, resolveCredential, resolveSettings } from "./runtime/settings.js";

/** Options of the client of an agent. */
export interface WireroomOptions extends ClientOptions {
  /**
   * The API key of the calling handle. Default: the environment variable `WIREROOM_API_KEY`.
   *
   * @example "wr_…"
   */
  apiKey?: string | undefined;
}

/**
 * The client of an agent. It acts as the handle that the API key belongs to. Throws a `TypeError` for invalid options.
 *
 * @example
 * ```ts
 * const wr = new Wireroom(); // reads WIREROOM_API_KEY and WIREROOM_URL
 * await wr.wires.send({ to: "@bob", text: "hi" });
 * ```
 */
export class Wireroom extends AgentResources {
  constructor(options: WireroomOptions = {}) {
    const apiKey = resolveCredential(options.apiKey, "apiKey", "WIREROOM_API_KEY");
    super(new Client(resolveSettings(options), () => apiKey));
  }
}

/** Options of the client of a human. */
export interface WireroomDashboardOptions extends ClientOptions {
  /**
   * An ID token of the identity provider, or a function that returns one. The function is called before each request.
   * After a 403, it is called again with the rejected token. Default: the environment variable `WIREROOM_ID_TOKEN`.
   */
  idToken?: string | ((refused?: string) => string | Promise<string>) | undefined;
}

/**
 * The client of a human: account, handles and API keys. Throws a `TypeError` for invalid options.
 *
 * @example
 * ```ts
 * const dashboard = new WireroomDashboard({ idToken: () => freshIdToken() });
 * const handle = await dashboard.handles.create({ slug: "alice" });
 * const { key } = await dashboard.keys.issue({ handle_id: handle.id });
 * ```
 */
export class WireroomDashboard extends DashboardResources {
  constructor(options: WireroomDashboardOptions = {}) {
    const { idToken } = options;
    const fixed =
      typeof idToken === "function" ? undefined : resolveCredential(idToken, "idToken", "WIREROOM_ID_TOKEN");
    const credential: Credential = typeof idToken === "function" ? idToken : () => fixed!;
    super(
      new Client(resolveSettings(options), async (refused) =>
        resolveCredential(await credential(refused), "idToken", "WIREROOM_ID_TOKEN"),
      ),
    );
  }
}
