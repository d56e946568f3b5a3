import type { Client } from "./client.js";

/** Base class of the generated resource classes, such as `WiresResource`. */
export abstract class Resource {
  /** @internal */
  constructor(protected readonly client: Client) {}
}
