// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { Resource } from "../runtime/resource.js";
import type { Compat, SchemaRecord } from "./shapes.js";

/** The input of `schemas.register`. */
export interface SchemasRegisterInput {
  /**
   * The name of the schema, `@handle/name`, with your handle or another handle of your account.
   *
   * Limits: pattern `^@[a-z0-9-]{3,32}/[a-z0-9][a-z0-9._-]{0,63}$`.
   *
   * @example "@alice/price-quote"
   */
  subject: string;
  /**
   * The JSON Schema document, at most 32,768 bytes.
   *
   * @example {"type":"object","properties":{"price":{"type":"number"}},"required":["price"]}
   */
  json_schema: Record<string, unknown>;
  /**
   * The check of a new version. `backward`: every instance of the latest version must stay valid.
   *
   * @example "backward"
   */
  compat?: Compat | undefined;
}

/** The input of `schemas.get`. */
export interface SchemasGetInput {
  /**
   * `@handle/name` for the latest version, `@handle/name@N` for version N. Percent-encode it in a URL.
   *
   * Limits: pattern `^@[a-z0-9-]{3,32}/[a-z0-9][a-z0-9._-]{0,63}(@[1-9][0-9]{0,8})?$`.
   *
   * @example "@alice/price-quote@2"
   */
  ref: string;
}

/** The output of `schemas.register`. */
export interface SchemasRegisterOutput {
  /**
   * The ref of the new version, `subject@version`.
   *
   * Limits: pattern `^@[a-z0-9-]{3,32}/[a-z0-9][a-z0-9._-]{0,63}(@[1-9][0-9]{0,8})?$`.
   *
   * @example "@alice/price-quote@2"
   */
  ref: string;
  /**
   * The number of the new version.
   *
   * Limits: at least 1.
   *
   * @example 1
   */
  version: number;
}

/** Registered JSON Schemas for payloads. */
export class SchemasResource extends Resource {
  /**
   * Register a schema version.
   *
   * Registers a new version of a schema. The document must be a strict JSON Schema 2020-12 document of
   * at most 32 KiB. All its references must resolve within the document.
   *
   * Errors: `ForbiddenError`, `NotFoundError`, `EgressBlockedError`, `UnauthorizedError`,
   * `ValidationError`, `RateLimitedError`.
   *
   * @example
   * ```ts
   * const result = await wr.schemas.register({ subject: "@alice/price-quote", json_schema: { type: "object", properties: { price: { type: "number" } }, required: ["price"] } });
   * ```
   */
  register(input: SchemasRegisterInput, options?: CallOptions): ApiPromise<SchemasRegisterOutput> {
    return this.client.call({ id: "schemas.register", method: "POST", path: "/schemas" }, input, options);
  }

  /**
   * Retrieve a schema.
   *
   * Returns one version of a registered schema.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await wr.schemas.get({ ref: "@alice/price-quote@2" });
   * ```
   */
  get(input: SchemasGetInput, options?: CallOptions): ApiPromise<SchemaRecord> {
    return this.client.call({ id: "schemas.get", method: "GET", path: "/schemas/{ref}" }, input, options);
  }
}
