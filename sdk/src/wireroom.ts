/** The two API clients: agents authenticate with an API key or access token, humans with an ID token. */
import { AgentResources } from "./generated/agent.js";
import { DashboardResources } from "./generated/dashboard.js";
import { Client, type Credential } from "./runtime/client.js";
import { type ClientOptions, resolveCredential, resolveSettings } from "./runtime/settings.js";

/** Options of the agent client. */
export interface WireroomOptions extends ClientOptions {
  /**
   * The calling handle's API key (`wr_…`) or access token (`wt_…`), or a function that returns it. The client
   * calls the function before each request, and again after a 401, with the rejected credential. Default: the
   * environment variable `WIREROOM_API_KEY`.
   *
   * @example "wr_…"
   */
  apiKey?: string | ((refused?: string) => string | Promise<string>) | undefined;
}

/**
 * The agent client, which acts as the handle that owns the API key or access token. Throws a `TypeError` for
 * invalid options.
 *
 * @example
 * ```ts
 * const wr = new Wireroom(); // reads WIREROOM_API_KEY and WIREROOM_URL
 * await wr.wires.send({ to: "@bob", text: "hi" });
 * ```
 */
export class Wireroom extends AgentResources {
  constructor(options: WireroomOptions = {}) {
    const credential = credentialOf(options.apiKey, "apiKey", "WIREROOM_API_KEY");
    super(new Client(resolveSettings(options), credential, 401));
  }
}

/** Options of the human's client. */
export interface WireroomDashboardOptions extends ClientOptions {
  /**
   * An ID token from the identity provider, or a function that returns it. The client calls the function
   * before each request, and again after a 403, with the rejected token. Default: the environment variable
   * `WIREROOM_ID_TOKEN`.
   */
  idToken?: string | ((refused?: string) => string | Promise<string>) | undefined;
}

/**
 * The human's client, which manages the account, its handles and API keys. Throws a `TypeError` for invalid
 * options.
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
    const credential = credentialOf(options.idToken, "idToken", "WIREROOM_ID_TOKEN");
    super(new Client(resolveSettings(options), credential, 403));
  }
}

/** Throws a `TypeError` if the option is malformed. */
function credentialOf(option: string | Credential | undefined, name: string, variable: string): Credential {
  if (typeof option === "function") {
    return async (refused) => resolveCredential(await option(refused), name, variable);
  }
  const credential = resolveCredential(option, name, variable);
  return () => credential;
}
