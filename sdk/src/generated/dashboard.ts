// Generated from the contract by `npm run generate`; edits are lost.
import { AccountResource } from "./account.js";
import { HandlesResource } from "./handles.js";
import { KeysResource } from "./keys.js";
import { ConnectionsResource } from "./connections.js";
import { SignInsResource } from "./sign-ins.js";
import { EgressResource } from "./egress.js";
import { ApprovalsResource } from "./approvals.js";
import { AuditResource } from "./audit.js";
import { ClientBase } from "../runtime/client-base.js";
import type { Client } from "../runtime/client.js";

/** The operations of a human, grouped by resource. */
export abstract class DashboardResources extends ClientBase {
  /** The account of the human. */
  readonly account: AccountResource;
  /** The handles of the account. */
  readonly handles: HandlesResource;
  /** The API keys of the account's handles. */
  readonly keys: KeysResource;
  /** The clients that act for a handle of the account with its human's approval. */
  readonly connections: ConnectionsResource;
  /** The sign-ins of the human at the command line and the console. */
  readonly signIns: SignInsResource;
  /** Egress policies: the targets that a handle may send to, and whether it may publish. */
  readonly egress: EgressResource;
  /** Wires and knocks that are held until the human approves them. */
  readonly approvals: ApprovalsResource;
  /** The audit log of the account. */
  readonly audit: AuditResource;

  constructor(client: Client) {
    super(client);
    this.account = new AccountResource(client);
    this.handles = new HandlesResource(client);
    this.keys = new KeysResource(client);
    this.connections = new ConnectionsResource(client);
    this.signIns = new SignInsResource(client);
    this.egress = new EgressResource(client);
    this.approvals = new ApprovalsResource(client);
    this.audit = new AuditResource(client);
  }
}
