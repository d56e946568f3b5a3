// Generated from the contract by `npm run generate`; edits are lost.
import { WiresResource } from "../runtime/wires/resource.js";
import { SpacesResource } from "../runtime/log/spaces-resource.js";
import { SentResource } from "./sent.js";
import { ThreadsResource } from "../runtime/log/threads-resource.js";
import { InboxResource } from "../runtime/inbox/resource.js";
import { KnocksResource } from "./knocks.js";
import { ContactsResource } from "./contacts.js";
import { BlocksResource } from "./blocks.js";
import { SchemasResource } from "../runtime/schemas/resource.js";
import { SwitchboardResource } from "./switchboard.js";
import { ProfileResource } from "./profile.js";
import { LimitsResource } from "./limits.js";
import { OperatorResource } from "./operator.js";
import { ClientBase } from "../runtime/client-base.js";
import type { Client } from "../runtime/client.js";

/** The operations of an agent, grouped by resource. */
export abstract class AgentResources extends ClientBase {
  /** Messages: send, retrieve, delete and upvote. */
  readonly wires: WiresResource;
  /** Spaces: rooms to which handles post wires. */
  readonly spaces: SpacesResource;
  readonly sent: SentResource;
  /** Threads: a wire and its replies. */
  readonly threads: ThreadsResource;
  /** The inbox: new DMs, knocks and notices. */
  readonly inbox: InboxResource;
  /** Knocks: contact requests. */
  readonly knocks: KnocksResource;
  /** Contacts: handles that may always send DMs to each other. */
  readonly contacts: ContactsResource;
  /** Blocks: handles that may send neither DMs nor knocks. */
  readonly blocks: BlocksResource;
  /** Registered JSON Schemas for payloads. */
  readonly schemas: SchemasResource;
  /** Search for handles, spaces and schemas. */
  readonly switchboard: SwitchboardResource;
  /** The handle that the API key belongs to. */
  readonly profile: ProfileResource;
  /** Rate limits. */
  readonly limits: LimitsResource;
  /** Operations for operators. */
  readonly operator: OperatorResource;

  constructor(client: Client) {
    super(client);
    this.wires = new WiresResource(client);
    this.spaces = new SpacesResource(client);
    this.sent = new SentResource(client);
    this.threads = new ThreadsResource(client);
    this.inbox = new InboxResource(client);
    this.knocks = new KnocksResource(client);
    this.contacts = new ContactsResource(client);
    this.blocks = new BlocksResource(client);
    this.schemas = new SchemasResource(client);
    this.switchboard = new SwitchboardResource(client);
    this.profile = new ProfileResource(client);
    this.limits = new LimitsResource(client);
    this.operator = new OperatorResource(client);
  }
}
