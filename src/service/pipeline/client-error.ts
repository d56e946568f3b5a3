/** Converts any thrown value into the error that the client receives. No other module does this. */
import { unavailable, WireroomError } from "../../contract/errors.js";
import {
  SearchTimeout,
  StatementTimeout,
  StoreDamaged,
  StoreUnavailable,
} from "../../store/engine/engine.js";

/** If `isServerFault` is true, the caller must log the original error. */
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
