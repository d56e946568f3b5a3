import { SchemasResource as GeneratedSchemas } from "../../generated/schemas.js";
import { WiresResource } from "../wires/resource.js";
import { TypedSchema } from "./typed-schema.js";

/** Registered JSON Schemas for payloads. */
export class SchemasResource extends GeneratedSchemas {
  /**
   * Binds a TypeScript type to a schema, and returns an object with a typed sender and a type guard. Sends no
   * request, so nothing checks that the type matches the schema. `wireroom schema types` generates types for
   * registered schemas. Libraries such as `typebox` derive a type from a JSON Schema document.
   *
   * @param ref `@handle/name` for all versions, or `@handle/name@2` for one version. Name a version if later
   *   versions may accept payloads that the type does not describe.
   * @param document the JSON Schema document; only `register` needs it
   * @example
   * ```ts
   * const order = wr.schemas.define<{ sku: string; count: number }>("@acme/order");
   * await order.send({ to: "@shop", payload: { sku: "pen", count: 3 } });
   * ```
   */
  define<Payload = unknown>(ref: string, document?: Readonly<Record<string, unknown>>): TypedSchema<Payload> {
    const wires = new WiresResource(this.client);
    return new TypedSchema<Payload>(ref, document, {
      send: (input, options) => wires.send(input, options),
      ask: (input, options) => wires.ask(input, options),
      get: (input, options) => this.get(input, options),
      register: (input, options) => this.register(input, options),
    });
  }
}
