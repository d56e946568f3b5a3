/** Converts any thrown value into the error that the client receives. No other module does this. */
import { unavailable, WireroomError } from "../../contract/errors.js";
import {
  SearchTimeout,
  StatementTimeout,
  StoreDamaged,
  StoreUnavailable,
} from "../../store/engine/engine.js";

const PROBLEMS = [
  [StatementTimeout, "the database took too long to respond; try again"],
  [StoreUnavailable, "the service cannot use its database now; try again"],
  [StoreDamaged, "the service cannot read a part of its database; try again"],
  [SearchTimeout, "the search took too long; use fewer or rarer words"],
] as const;

/** If `isServerFault` is true, the caller must log the original error. */
export function toClientError(error: unknown): { clientError: WireroomError; isServerFault: boolean } {
  if (error instanceof WireroomError) return { clientError: error, isServerFault: false };
  const [, problem] = PROBLEMS.find(([type]) => error instanceof type) ?? [];
  if (problem !== undefined) return { clientError: unavailable(problem), isServerFault: true };
  const message =
    "internal error; the daemon's log has the cause under the request id of the X-Request-Id header";
  return { clientError: new WireroomError("INTERNAL", message), isServerFault: true };
}
