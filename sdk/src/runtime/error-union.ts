/** The class and type `WireroomError` of the public API. */
import type { ServiceError } from "../generated/errors.js";
import { WireroomError as BaseError, type ConnectionError, type ErrorFields } from "./errors.js";
import type { NoReplyError } from "./wires/no-reply-error.js";

/** The response is not from Wireroom, for example because the base URL points to another service. */
type UnexpectedResponse = BaseError & { readonly code: "UNEXPECTED_RESPONSE" };

/**
 * Every error that a call can reject with. `code` tells the errors apart, so checking it narrows the type of
 * the details. A newer service may return a code that this version does not know; such an error has the base
 * class `WireroomError`.
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

/** The base class of all errors that a call can reject with. `instanceof` narrows an error to the union. */
export const WireroomError = BaseError as unknown as {
  new (message: string, fields: ErrorFields): WireroomError;
  readonly prototype: WireroomError;
};
