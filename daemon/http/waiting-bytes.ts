/**
 * Limits the bytes of responses that clients have not read yet. Without the limit, a few hundred clients that
 * request long pages but never read them could fill the daemon's memory.
 */
import type { ServerResponse } from "node:http";
import type { Logger } from "pino";
import { WireroomError } from "../../src/contract/errors.js";
import { ByteBudget } from "./request/byte-budget.js";

const MIB = 1024 * 1024;

/** docs/specification/limits.md#connections */
const LIMITS = { total: 256 * MIB, perOwner: 64 * MIB };
/** Shorter responses are not counted, because a connection holds at most one of them. */
const MIN_COUNTED_BYTES = 16 * 1024;
const RETRY_AFTER_SECONDS = 1;

export class WaitingBytes {
  private readonly budget: ByteBudget<ServerResponse>;

  constructor(log: Logger) {
    this.budget = new ByteBudget(LIMITS, (response) => {
      response.destroy();
      const reason =
        "its account has the most responses that wait for their clients, and others need the memory";
      log.info({ operation: "none", reason }, "connection closed");
    });
  }

  get total(): number {
    return this.budget.total;
  }

  /**
   * Counts a part of a response until the response is closed. Above the total limit, closes the oldest
   * responses of the account with the most unread bytes.
   * @param account id of the account that receives the response
   * @param isRequired whether the part must be sent, because it is the result of a write
   * @throws WireroomError UNAVAILABLE if the part exceeds a limit and is not required
   */
  add(response: ServerResponse, account: string, bytes: number, isRequired: boolean): void {
    // After a disconnect, `close` is not emitted again, so the bytes would be counted forever.
    if (bytes < MIN_COUNTED_BYTES || response.destroyed) return;
    const { budget } = this;
    const ofAccount = budget.bytesOf(account) + bytes;
    if (ofAccount > LIMITS.perOwner && !isRequired) throw tooManyWaiting();
    while (budget.total + bytes > LIMITS.total) {
      const largest = budget.largestOwner();
      if (largest === account || budget.bytesOf(largest) < ofAccount) {
        if (isRequired) break;
        throw tooManyWaiting();
      }
      budget.dropOldest(largest);
    }
    if (!budget.has(response)) response.once("close", () => budget.remove(response));
    budget.add(response, account, bytes);
  }
}

function tooManyWaiting(): WireroomError {
  const message = "too many responses wait for clients that do not read them; read them first, and try again";
  return new WireroomError("UNAVAILABLE", message, { retry_after: RETRY_AFTER_SECONDS });
}
