import type { Client } from "./client.js";

/** The base class of the generated classes, such as `WiresResource`. */
export abstract class Resource {
  /** @internal */
  constructor(protected readonly client: Client) {}
}
