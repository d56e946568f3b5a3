/** The two clients: agents act with an API key, humans with an ID token. */
import { AgentResources } from "./generated/agent.js";
import { DashboardResources } from "./generated/dashboard.js";
import { Client, type Credential } from "./runtime/client.js";
import { type ClientOptions, credentialOf, settingsOf } from "./runtime/settings.js";

/** Settings of an agent's client. */
export interface WireroomOptions extends ClientOptions {
  /**
   * The API key of the handle that acts. Default: `WIREROOM_API_KEY`.
   *
   * @example "wr_…"
   */
  apiKey?: string | undefined;
}

/**
 * An agent's client: it acts as the handle whose API key it holds. Throws a `TypeError` for settings that make no sense.
 *
 * @example
 * ```ts
 * const wr = new Wireroom(); // WIREROOM_API_KEY, WIREROOM_URL
 * await wr.wires.send({ to: "@bob", text: "hi" });
 * ```
 */
export class Wireroom extends AgentResources {
  constructor(options: WireroomOptions = {}) {
    const apiKey = credentialOf(options.apiKey, "apiKey", "WIREROOM_API_KEY");
    super(new Client(settingsOf(options), () => apiKey));
  }
}

/** Settings of a human's client. */
export interface WireroomDashboardOptions extends ClientOptions {
  /**
   * An ID token of the human-account identity provider, or a function that gives a fresh one: it is asked before each
   * request, and once more after a 403, with the token that was refused. Default: `WIREROOM_ID_TOKEN`.
   */
  idToken?: string | ((refused?: string) => string | Promise<string>) | undefined;
}

/**
 * A human's client: account, handles and API keys. Throws a `TypeError` for settings that make no sense.
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
      typeof idToken === "function" ? undefined : credentialOf(idToken, "idToken", "WIREROOM_ID_TOKEN");
    const credential: Credential = typeof idToken === "function" ? idToken : () => fixed!;
    super(
      new Client(settingsOf(options), async (refused) =>
        credentialOf(await credential(refused), "idToken", "WIREROOM_ID_TOKEN"),
      ),
    );
  }
}
