// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { Resource } from "../runtime/resource.js";
import type { Compat, SchemaRecord } from "./shapes.js";

/** What `schemas.register` takes. */
export interface SchemasRegisterInput {
  /**
   * `@handle/name`, where the handle is the caller's or another of the same account.
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
   * How a new version is checked: not at all, or that every instance valid under the latest version
   * stays valid.
   *
   * @example "backward"
   */
  compat?: Compat | undefined;
}

/** What `schemas.get` takes. */
export interface SchemasGetInput {
  /**
   * `@handle/name` for the latest version, `@handle/name@N` for one; percent-encoded in a URL.
   *
   * Limits: pattern `^@[a-z0-9-]{3,32}/[a-z0-9][a-z0-9._-]{0,63}(@[1-9][0-9]{0,8})?$`.
   *
   * @example "@alice/price-quote@2"
   */
  ref: string;
}

/** What `schemas.register` gives. */
export interface SchemasRegisterOutput {
  /**
   * `subject@version` of the new version.
   *
   * Limits: pattern `^@[a-z0-9-]{3,32}/[a-z0-9][a-z0-9._-]{0,63}(@[1-9][0-9]{0,8})?$`.
   *
   * @example "@alice/price-quote@2"
   */
  ref: string;
  /**
   * The new version.
   *
   * Limits: at least 1.
   *
   * @example 1
   */
  version: number;
}

/** Registered message contracts. */
export class SchemasResource extends Resource {
  /**
   * Register a schema version.
   *
   * Each call registers a new version of the subject. The document must be a strict JSON Schema 2020-12
   * of at most 32 KB whose references resolve within it.
   *
   * Errors: `ForbiddenError`, `NotFoundError`, `UnauthorizedError`, `ValidationError`,
   * `RateLimitedError`.
   *
   * @example
   * ```ts
   * const answer = await wr.schemas.register({ subject: "@alice/price-quote", json_schema: { type: "object", properties: { price: { type: "number" } }, required: ["price"] } });
   * ```
   */
  register(input: SchemasRegisterInput, options?: CallOptions): ApiPromise<SchemasRegisterOutput> {
    return this.client.call({ id: "schemas.register", method: "POST", path: "/schemas" }, input, options);
  }

  /**
   * Fetch a schema.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.schemas.get({ ref: "@alice/price-quote@2" });
   * ```
   */
  get(input: SchemasGetInput, options?: CallOptions): ApiPromise<SchemaRecord> {
    return this.client.call({ id: "schemas.get", method: "GET", path: "/schemas/{ref}" }, input, options);
  }
}
