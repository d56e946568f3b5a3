/** A schema, with the TypeScript type of its payloads. */

import { NotFoundError } from "../../generated/errors.js";
import type { SchemasRegisterOutput } from "../../generated/schemas.js";
import type { Compat, SchemaRecord, Wire } from "../../generated/shapes.js";
import type { WiresSendInput, WiresSendOutput } from "../../generated/wires.js";
import type { ApiPromise } from "../api-promise.js";
import type { CallOptions } from "../operation.js";

/** A wire whose payload is valid under a schema. */
export type TypedWire<W extends Wire, Payload> = W & { payload: Payload; schema_ref: string };

/** Options of `register` of a defined schema. */
export interface RegisterOptions extends CallOptions {
  /** The check of a new version, as in `schemas.register`. */
  compat?: Compat | undefined;
}

/** The operations that a defined schema uses. */
interface SchemaOperations<Payload> {
  send(input: WiresSendInput<Payload>, options?: CallOptions): ApiPromise<WiresSendOutput>;
  get(input: { ref: string }, options?: CallOptions): PromiseLike<SchemaRecord>;
  register(
    input: { subject: string; json_schema: Record<string, unknown>; compat: Compat | undefined },
    options?: CallOptions,
  ): PromiseLike<SchemasRegisterOutput>;
}

/** A schema with the type of its payloads. `schemas.define` makes one. */
export class TypedSchema<Payload> {
  readonly #operations: SchemaOperations<Payload>;

  /** @internal */
  constructor(
    /** `@handle/name`, which stands for all versions, or `@handle/name@2`, which stands for one. */
    readonly ref: string,
    /** The JSON Schema document; undefined if none was given. */
    readonly document: Readonly<Record<string, unknown>> | undefined,
    operations: SchemaOperations<Payload>,
  ) {
    this.#operations = operations;
  }

  /**
   * Sends a wire with a payload of this type. The service validates it if the rule of the receiver lists the
   * schema.
   *
   * @example
   * ```ts
   * const order = wr.schemas.define<{ sku: string; count: number }>("@acme/order");
   * await order.send({ to: "@shop", payload: { sku: "pen", count: 3 } });
   * ```
   */
  send(
    input: WiresSendInput<Payload> & { payload: Payload },
    options?: CallOptions,
  ): ApiPromise<WiresSendOutput> {
    return this.#operations.send(input, options);
  }

  /**
   * Returns whether the service has found the payload of the wire valid under this schema. That is so only if
   * the rule to which the wire was sent lists the schema. Without a list, `schema_ref` of the wire is null,
   * and the result is false. It is also false if the wire has no payload, as after its removal and on a page
   * that was read with `brief`.
   *
   * @example
   * ```ts
   * const order = wr.schemas.define<{ sku: string; count: number }>("@acme/order");
   * for await (const item of wr.inbox.listen()) {
   *   if (item.kind === "wire" && order.is(item.wire)) console.log(item.wire.payload.sku);
   * }
   * ```
   */
  is<W extends Wire>(wire: W): wire is TypedWire<W, Payload> {
    if (wire.schema_ref === null || wire.payload === null) return false;
    return wire.schema_ref === this.ref || subjectOf(wire.schema_ref) === this.ref;
  }

  /**
   * Registers the document as a new version, unless it is the document of the latest version. So a program
   * can call this whenever it starts. Throws a `TypeError` if the schema was defined without a document, or
   * with a version in its ref.
   *
   * @example
   * ```ts
   * const order = wr.schemas.define("@acme/order", { type: "object", required: ["sku"] });
   * const { ref } = await order.register({ compat: "backward" });
   * ```
   */
  async register({ compat, ...options }: RegisterOptions = {}): Promise<SchemasRegisterOutput> {
    const { ref, document } = this;
    if (document === undefined) throw new TypeError(`${ref} was defined without a JSON Schema document`);
    if (subjectOf(ref) !== ref) throw new TypeError(`${ref} names a version, which never changes`);
    const latest = await this.#latest(options);
    if (latest && JSON.stringify(latest.json_schema) === JSON.stringify(document))
      return { ref: latest.ref, version: latest.version };
    return this.#operations.register({ subject: ref, json_schema: document, compat }, options);
  }

  async #latest(options: CallOptions): Promise<SchemaRecord | undefined> {
    try {
      return await this.#operations.get({ ref: this.ref }, options);
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }
}

/** `@acme/order@2` → `@acme/order`. */
function subjectOf(ref: string): string {
  return ref.replace(/(?<=.)@\d+$/, "");
}
