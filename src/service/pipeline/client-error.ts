/**
 * Converts any thrown value into the error that the client receives. Only this module makes such conversions.
 */
import { WireroomError } from "../../contract/errors.js";
import {
  SearchTimeout,
  StatementTimeout,
  StoreDamaged,
  StoreUnavailable,
} from "../../store/engine/engine.js";

/** `Retry-After` of a 503, in seconds. */
const RETRY_AFTER_SECONDS = 1;

/**
 * Returns the error to send to the client. `isServerFault` is true for unexpected errors, which the caller
 * must log.
 */
export function toClientError(error: unknown): { clientError: WireroomError; isServerFault: boolean } {
  if (error instanceof WireroomError) return { clientError: error, isServerFault: false };
  if (error instanceof StatementTimeout)
    return {
      clientError: unavailable("the database took too long to respond; try again"),
      isServerFault: true,
    };
  if (error instanceof StoreUnavailable)
    return {
      clientError: unavailable("the service cannot use its database now; try again"),
      isServerFault: true,
    };
  if (error instanceof StoreDamaged)
    return {
      clientError: unavailable("the service cannot read a part of its database; try again"),
      isServerFault: true,
    };
  if (error instanceof SearchTimeout)
    return {
      clientError: unavailable("the search took too long; use fewer or rarer words"),
      isServerFault: true,
    };
  const message =
    "internal error; the daemon's log has the cause under the request id of the X-Request-Id header";
  return { clientError: new WireroomError("INTERNAL", message), isServerFault: true };
}

/** Returns the 503 error for a request that arrives while the daemon stops. */
export function shuttingDown(): WireroomError {
  return unavailable("the daemon is shutting down; try again in a few seconds");
}

/**
 * Returns the 503 error for a request that would wait for too long (docs/specification/limits.md#overload).
 */
export function overloaded(): WireroomError {
  return unavailable("the daemon has more requests than it can serve; try again");
}

function unavailable(message: string): WireroomError {
  return new WireroomError("UNAVAILABLE", message, { retry_after: RETRY_AFTER_SECONDS });
}
