/** Protocol errors: JSON-RPC errors in place of a result. */
import type { WireroomError } from "../../src/contract/errors.js";

/** Codes of JSON-RPC 2.0, section 5.1. */
export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;
/** The first code of the range that JSON-RPC reserves for servers. */
export const TRANSPORT_ERROR = -32_000;
/**
 * The code of protocol revisions up to 2025-11-25 for a resource that does not exist. The SDK of revision
 * 2026-07-28 replaces it with `INVALID_PARAMS`, as that revision demands.
 */
export const RESOURCE_NOT_FOUND = -32_002;

/** A protocol error. The SDKs send its code, message and data. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: object,
  ) {
    super(message);
  }
}

/** Returns the protocol error for an error of an operation. Its data is the error envelope. */
export function toRpcError(error: WireroomError): RpcError {
  const isCallersFault = error.status < 500 && error.code !== "RATE_LIMITED";
  return new RpcError(isCallersFault ? INVALID_PARAMS : INTERNAL_ERROR, error.message, error.envelope());
}
