// Generated from the contract by `npm run generate`; edits are lost.
import { AccountResource } from "./account.js";
import { HandlesResource } from "./handles.js";
import { KeysResource } from "./keys.js";
import { AuditResource } from "./audit.js";
import type { Client } from "../runtime/client.js";

/** What a human can do, noun by noun. */
export abstract class DashboardResources {
  /** The human's account. */
  readonly account: AccountResource;
  /** Handles of the account. */
  readonly handles: HandlesResource;
  /** API keys of its handles. */
  readonly keys: KeysResource;
  /** What was done with the account. */
  readonly audit: AuditResource;

  constructor(client: Client) {
    this.account = new AccountResource(client);
    this.handles = new HandlesResource(client);
    this.keys = new KeysResource(client);
    this.audit = new AuditResource(client);
  }
}
