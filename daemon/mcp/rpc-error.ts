/** Protocol errors, which JSON-RPC sends instead of a result. */
import type { WireroomError } from "../../src/contract/errors.js";

/** Error codes from JSON-RPC 2.0, section 5.1. */
export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;
/** The first code of JSON-RPC's range for servers. */
export const TRANSPORT_ERROR = -32_000;
/**
 * A resource does not exist. The SDK for revision 2026-07-28 replaces the code with `INVALID_PARAMS`, as that
 * revision requires.
 */
export const RESOURCE_NOT_FOUND = -32_002;

export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: object,
  ) {
    super(message);
  }
}

/** Converts an operation's error. The data is the REST error body. */
export function toRpcError(error: WireroomError): RpcError {
  const isCallersFault = error.status < 500 && error.code !== "RATE_LIMITED";
  return new RpcError(isCallersFault ? INVALID_PARAMS : INTERNAL_ERROR, error.message, error.envelope());
}
