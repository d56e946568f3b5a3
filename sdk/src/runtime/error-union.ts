/** The class and type `WireroomError` of the public API. */
import type { ServiceError } from "../generated/errors.js";
import { WireroomError as BaseError, type ConnectionError, type ErrorFields } from "./errors.js";
import type { NoReplyError } from "./wires/no-reply-error.js";

/** The error for a response that is not from Wireroom, for example because the base URL is wrong. */
type UnexpectedResponse = BaseError & { readonly code: "UNEXPECTED_RESPONSE" };

/**
 * Any error that a call can reject with. Checking `code` narrows the type of the other fields. An error code
 * that this version does not know has no class of its own: the error is a plain `WireroomError`.
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

/** The base class of all errors of calls. `instanceof` narrows the type to the union `WireroomError`. */
export const WireroomError = BaseError as unknown as {
  new (message: string, fields: ErrorFields): WireroomError;
  readonly prototype: WireroomError;
};
