/** Schemas with a TypeScript type for their payloads. */

import { NotFoundError } from "../../generated/errors.js";
import type { SchemasRegisterOutput } from "../../generated/schemas.js";
import type { Compat, SchemaRecord, Wire } from "../../generated/shapes.js";
import type { WiresSendInput, WiresSendOutput } from "../../generated/wires.js";
import type { ApiPromise } from "../api-promise.js";
import type { CallOptions } from "../operation.js";
import type { AskOptions } from "../wires/ask.js";
import type { ReceivedWire } from "../wires/received.js";
import type { AskInput } from "../wires/resource.js";

/** A wire whose payload matches a schema. */
export type TypedWire<W extends Wire, Payload> = W & { payload: Payload; schema_ref: string };

/** Options of `TypedSchema.register`. */
export interface RegisterOptions extends CallOptions {
  /** Compatibility check for the new version, as in `schemas.register`. */
  compat?: Compat | undefined;
}

/** The API operations that `TypedSchema` uses. */
interface SchemaOperations<Payload> {
  send(input: WiresSendInput<Payload>, options?: CallOptions): ApiPromise<WiresSendOutput>;
  ask<Reply>(input: AskInput<Payload>, options?: AskOptions): Promise<ReceivedWire<Reply>>;
  get(input: { ref: string }, options?: CallOptions): PromiseLike<SchemaRecord>;
  register(
    input: { subject: string; json_schema: Record<string, unknown>; compat: Compat | undefined },
    options?: CallOptions,
  ): PromiseLike<SchemasRegisterOutput>;
}

/** A schema with a TypeScript type for its payloads. Created by `schemas.define`. */
export class TypedSchema<Payload> {
  readonly #operations: SchemaOperations<Payload>;

  /** @internal */
  constructor(
    /** `@handle/name` for all versions, or `@handle/name@2` for one version. */
    readonly ref: string,
    /** The JSON Schema document; undefined if none was given. */
    readonly document: Readonly<Record<string, unknown>> | undefined,
    operations: SchemaOperations<Payload>,
  ) {
    this.#operations = operations;
  }

  /**
   * Sends a wire with a payload of this type. The service validates the payload only if the receiver's
   * posting rule lists the schema.
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
   * Sends a wire with a payload of this type, and waits for the answer, as `wires.ask` does.
   *
   * @example
   * ```ts
   * const order = wr.schemas.define<{ sku: string; count: number }>("@acme/order");
   * const answer = await order.ask<{ price: number }>({ to: "@shop", payload: { sku: "pen", count: 3 } });
   * console.log(answer.payload?.price);
   * ```
   */
  ask<Reply = unknown>(
    input: AskInput<Payload> & { payload: Payload },
    options?: AskOptions,
  ): Promise<ReceivedWire<Reply>> {
    return this.#operations.ask(input, options);
  }

  /**
   * Returns true if the service validated the wire's payload against this schema. The service does so only if
   * the posting rule that applied to the wire lists the schema. Returns false for wires without a payload:
   * removed wires, and wires read with `brief`.
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
   * Registers the document as a new version, unless the latest version has the same document. A program can
   * therefore call this at every start. Throws a `TypeError` if the schema was defined without a document or
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
