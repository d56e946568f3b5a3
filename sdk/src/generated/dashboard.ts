// Generated from the contract by `npm run generate`; edits are lost.
import { AccountResource } from "./account.js";
import { HandlesResource } from "./handles.js";
import { KeysResource } from "./keys.js";
import { EgressResource } from "./egress.js";
import { ApprovalsResource } from "./approvals.js";
import { AuditResource } from "./audit.js";
import { Caller } from "../runtime/caller.js";
import type { Client } from "../runtime/client.js";

/** What a human can do, noun by noun. */
export abstract class DashboardResources extends Caller {
  /** The human's account. */
  readonly account: AccountResource;
  /** Handles of the account. */
  readonly handles: HandlesResource;
  /** API keys of its handles. */
  readonly keys: KeysResource;
  /** Where its handles may send. */
  readonly egress: EgressResource;
  /** What waits for the human's answer. */
  readonly approvals: ApprovalsResource;
  /** What was done with the account. */
  readonly audit: AuditResource;

  constructor(client: Client) {
    super(client);
    this.account = new AccountResource(client);
    this.handles = new HandlesResource(client);
    this.keys = new KeysResource(client);
    this.egress = new EgressResource(client);
    this.approvals = new ApprovalsResource(client);
    this.audit = new AuditResource(client);
  }
}
