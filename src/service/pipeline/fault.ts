/** The one place where what went wrong becomes what the caller is told (style: errors). */
import { WireroomError } from "../../contract/errors.js";
import { StoreUnavailable } from "../../store/engine/engine.js";

/** Seconds after which a caller is told to try again while the store is out of reach. */
const RETRY_AFTER = 1;

/** The error as it is answered. `isFault` is true for what is the server's and must be logged. */
export function toAnswer(error: unknown): { answer: WireroomError; isFault: boolean } {
  if (error instanceof WireroomError) return { answer: error, isFault: false };
  if (error instanceof StoreUnavailable) {
    const message = "the service cannot reach its store at present; try again";
    return { answer: new WireroomError("UNAVAILABLE", message, { retry_after: RETRY_AFTER }), isFault: true };
  }
  const message = "the service failed; the log has the reason under the request id in X-Request-Id";
  return { answer: new WireroomError("INTERNAL", message), isFault: true };
}

/** Answered while the daemon is shutting down. */
export function stopping(): WireroomError {
  return new WireroomError("UNAVAILABLE", "the daemon is shutting down; try again", {
    retry_after: RETRY_AFTER,
  });
}
