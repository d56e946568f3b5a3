import { SchemasResource as GeneratedSchemas } from "../../generated/schemas.js";
import { WiresResource } from "../../generated/wires.js";
import { TypedSchema } from "./typed-schema.js";

/** Registered JSON Schemas for payloads. */
export class SchemasResource extends GeneratedSchemas {
  /**
   * Binds a TypeScript type to a schema, for a typed sender and a type guard. It sends no request. The type
   * is a promise of the caller: `wireroom schema types` writes the types of registered schemas, and
   * `typebox`, for example, derives a type from a JSON Schema document.
   *
   * @param ref `@handle/name` for all versions, or `@handle/name@2` for one version. If a later version may
   *   accept payloads that the type does not describe, name the version.
   * @param document the JSON Schema document, for `register`
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
      get: (input, options) => this.get(input, options),
      register: (input, options) => this.register(input, options),
    });
  }
}
