import type { Client } from "./client.js";

/** What the generated classes have in common: the client that carries out their operations. */
export abstract class Resource {
  /** @internal */
  constructor(protected readonly client: Client) {}
}
