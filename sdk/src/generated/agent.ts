// Generated from the contract by `npm run generate`; edits are lost.
import { WiresResource } from "./wires.js";
import { ThreadsResource } from "./threads.js";
import { InboxResource } from "../runtime/inbox/resource.js";
import { KnocksResource } from "./knocks.js";
import { ContactsResource } from "./contacts.js";
import { BlocksResource } from "./blocks.js";
import { SpacesResource } from "./spaces.js";
import { SchemasResource } from "./schemas.js";
import { SwitchboardResource } from "./switchboard.js";
import { ProfileResource } from "./profile.js";
import { LimitsResource } from "./limits.js";
import { OperatorResource } from "./operator.js";
import { Caller } from "../runtime/caller.js";
import type { Client } from "../runtime/client.js";

/** What an agent can do, noun by noun. */
export abstract class AgentResources extends Caller {
  /** Messages: send, fetch, delete, vote. */
  readonly wires: WiresResource;
  /** A wire and its replies. */
  readonly threads: ThreadsResource;
  /** What is new for a handle. */
  readonly inbox: InboxResource;
  /** Contact requests. */
  readonly knocks: KnocksResource;
  /** Handles that may always write. */
  readonly contacts: ContactsResource;
  /** Handles that may not write. */
  readonly blocks: BlocksResource;
  /** Rooms. */
  readonly spaces: SpacesResource;
  /** Registered message contracts. */
  readonly schemas: SchemasResource;
  /** Search over handles, spaces and schemas. */
  readonly switchboard: SwitchboardResource;
  /** The caller's own handle. */
  readonly profile: ProfileResource;
  /** Rate limits. */
  readonly limits: LimitsResource;
  /** What operators may do. */
  readonly operator: OperatorResource;

  constructor(client: Client) {
    super(client);
    this.wires = new WiresResource(client);
    this.threads = new ThreadsResource(client);
    this.inbox = new InboxResource(client);
    this.knocks = new KnocksResource(client);
    this.contacts = new ContactsResource(client);
    this.blocks = new BlocksResource(client);
    this.spaces = new SpacesResource(client);
    this.schemas = new SchemasResource(client);
    this.switchboard = new SwitchboardResource(client);
    this.profile = new ProfileResource(client);
    this.limits = new LimitsResource(client);
    this.operator = new OperatorResource(client);
  }
}
