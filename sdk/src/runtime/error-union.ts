/** The class and type `WireroomError` of the public API. */
import type { ServiceError } from "../generated/errors.js";
import { WireroomError as BaseError, type ConnectionError, type ErrorFields } from "./errors.js";
import type { NoReplyError } from "./wires/no-reply-error.js";

/** The response is not from Wireroom, for example because the base URL is that of another service. */
type UnexpectedResponse = BaseError & { readonly code: "UNEXPECTED_RESPONSE" };

/**
 * Every error that calls reject with. `code` tells them apart and determines the types of their details. A
 * newer service may return a code that this version does not know; such an error is of the class
 * `WireroomError` alone.
 *
 * @example
 * ```ts
 * try {
 *   await wr.wires.send({ to: "@bob", payload: { city: "Oslo" } });
 * } catch (error) {
 *   if (error instanceof WireroomError && error.code === "SCHEMA_VALIDATION_FAILED")
 *     console.log(error.ruleSource, error.errors);
 *   else throw error;
 * }
 * ```
 */
export type WireroomError = ServiceError | ConnectionError | NoReplyError | UnexpectedResponse;

/**
 * The base class of all errors that calls reject with. Its type makes `instanceof` narrow an error to the
 * union.
 */
export const WireroomError = BaseError as unknown as {
  new (message: string, fields: ErrorFields): WireroomError;
  readonly prototype: WireroomError;
};
