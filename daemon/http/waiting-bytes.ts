/**
 * Counts the bytes of responses that wait for their clients to read them, and limits them. Otherwise a few hundred clients that
 * request long pages and do not read them could fill the memory of the daemon.
 */
import type { ServerResponse } from "node:http";
import type { Logger } from "pino";
import { WireroomError } from "../../src/contract/errors.js";

const MIB = 1024 * 1024;

/** Limit for all responses together (docs/specification/limits.md#connections). */
const MAX_WAITING_BYTES = 256 * MIB;
/** Limit for the responses to one account, so that no account takes the memory of the others. */
const MAX_WAITING_BYTES_PER_ACCOUNT = 64 * MIB;
/** Shorter responses are not counted. A connection holds at most one of them, which is little more than the connection itself. */
const MIN_COUNTED_BYTES = 16 * 1024;
const RETRY_AFTER_SECONDS = 1;

/** The waiting responses of one account, oldest first, with their bytes. */
interface AccountResponses {
  bytes: number;
  responses: Map<ServerResponse, number>;
}

export class WaitingBytes {
  private readonly accounts = new Map<string, AccountResponses>();
  private sum = 0;

  constructor(private readonly log: Logger) {}

  get total(): number {
    return this.sum;
  }

  /**
   * Counts a part of a response until the response is closed. If all responses together exceed their limit, closes the oldest
   * ones of the account with the most waiting bytes. So a few accounts that do not read cannot keep the others from reading.
   * @param account id of the account that receives the response
   * @param isRequired whether the part must be sent, because it is the result of a write
   * @throws WireroomError UNAVAILABLE if the part exceeds a limit and is not required
   */
  add(response: ServerResponse, account: string, bytes: number, isRequired: boolean): void {
    // After a disconnect, `close` was already emitted, so the bytes would be counted forever.
    if (bytes < MIN_COUNTED_BYTES || response.destroyed) return;
    const ofAccount = (this.accounts.get(account)?.bytes ?? 0) + bytes;
    if (ofAccount > MAX_WAITING_BYTES_PER_ACCOUNT && !isRequired) throw tooManyWaiting();
    while (this.sum + bytes > MAX_WAITING_BYTES) {
      const largest = this.largestAccount();
      if (largest === account || this.accounts.get(largest)!.bytes < ofAccount) {
        if (isRequired) break;
        throw tooManyWaiting();
      }
      this.closeOldest(largest);
    }
    this.count(response, account, bytes);
  }

  private count(response: ServerResponse, account: string, bytes: number): void {
    const waiting: AccountResponses = this.accounts.get(account) ?? { bytes: 0, responses: new Map() };
    const ofResponse = waiting.responses.get(response);
    if (ofResponse === undefined) response.once("close", () => this.remove(response, account));
    waiting.responses.set(response, (ofResponse ?? 0) + bytes);
    waiting.bytes += bytes;
    this.sum += bytes;
    this.accounts.set(account, waiting);
  }

  private remove(response: ServerResponse, account: string): void {
    const waiting = this.accounts.get(account);
    const bytes = waiting?.responses.get(response);
    // A response that `closeOldest` has closed is no longer counted.
    if (!waiting || bytes === undefined) return;
    waiting.responses.delete(response);
    waiting.bytes -= bytes;
    this.sum -= bytes;
    if (waiting.responses.size === 0) this.accounts.delete(account);
  }

  /** Returns the account with the most waiting bytes. There is at least one, because the sum is above zero. */
  private largestAccount(): string {
    let largest = "";
    let most = 0;
    for (const [account, { bytes }] of this.accounts) {
      if (bytes <= most) continue;
      largest = account;
      most = bytes;
    }
    return largest;
  }

  private closeOldest(account: string): void {
    const [oldest] = this.accounts.get(account)!.responses.keys();
    this.remove(oldest!, account);
    oldest!.destroy();
    const reason =
      "its account has the most responses that wait for their clients, and others need the memory";
    this.log.info({ operation: "none", reason }, "connection closed");
  }
}

function tooManyWaiting(): WireroomError {
  const message = "too many responses wait for clients that do not read them; read them first, and try again";
  return new WireroomError("UNAVAILABLE", message, { retry_after: RETRY_AFTER_SECONDS });
}
