/** The clients with which the dashboard's nouns load their rows. */
import type { Wireroom, WireroomDashboard } from "../../../sdk/src/api.js";
import type { Session } from "../../session.js";

export interface Sources {
  readonly session: Session;
  /** Sends requests as the human. */
  readonly human: WireroomDashboard;
  /** Throws a `Failure` if no handle is active. */
  agent(): Promise<Wireroom>;
  /** Discards the client that `agent` returned, because the active handle or its key has changed. */
  resetAgent(): void;
  /** The slugs (without `@`) of the human's handles, by handle id, as last loaded. */
  readonly handles: Map<string, string>;
}
