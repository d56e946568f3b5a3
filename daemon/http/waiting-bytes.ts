/**
 * Counts the bytes of responses that wait for their clients to read them, and limits them. Otherwise a few hundred clients that
 * request long pages and do not read them could fill the memory of the daemon.
 */
import type { ServerResponse } from "node:http";
import { WireroomError } from "../../src/contract/errors.js";

const MIB = 1024 * 1024;

/** Limit for all responses together (docs/specification/limits.md#connections). */
const MAX_WAITING_BYTES = 256 * MIB;
/** Limit for the responses to one account, so that no account takes the memory of the others. */
const MAX_WAITING_BYTES_PER_ACCOUNT = 64 * MIB;
/** Shorter responses are not counted. A connection holds at most one of them, which is little more than the connection itself. */
const MIN_COUNTED_BYTES = 16 * 1024;
const RETRY_AFTER_SECONDS = 1;

export class WaitingBytes {
  private readonly byAccount = new Map<string, number>();
  private readonly byResponse = new WeakMap<ServerResponse, number>();
  private sum = 0;

  get total(): number {
    return this.sum;
  }

  /**
   * Counts a part of a response until the response is closed.
   * @param account id of the account that receives the response
   * @param isRequired whether the part must be sent, because it is the result of a write
   * @throws WireroomError UNAVAILABLE if the part exceeds a limit and is not required
   */
  add(response: ServerResponse, account: string, bytes: number, isRequired: boolean): void {
    if (bytes < MIN_COUNTED_BYTES) return;
    const ofAccount = this.byAccount.get(account) ?? 0;
    const exceeds = this.sum + bytes > MAX_WAITING_BYTES || ofAccount + bytes > MAX_WAITING_BYTES_PER_ACCOUNT;
    if (exceeds && !isRequired) throw tooManyWaiting();
    // The client has already disconnected, and `close` was already emitted.
    if (response.destroyed) return;
    this.change(account, bytes);
    const ofResponse = this.byResponse.get(response);
    this.byResponse.set(response, (ofResponse ?? 0) + bytes);
    if (ofResponse === undefined)
      response.once("close", () => this.change(account, -this.byResponse.get(response)!));
  }

  private change(account: string, bytes: number): void {
    this.sum += bytes;
    const ofAccount = (this.byAccount.get(account) ?? 0) + bytes;
    if (ofAccount === 0) this.byAccount.delete(account);
    else this.byAccount.set(account, ofAccount);
  }
}

function tooManyWaiting(): WireroomError {
  const message = "too many responses wait for clients that do not read them; read them first, and try again";
  return new WireroomError("UNAVAILABLE", message, { retry_after: RETRY_AFTER_SECONDS });
}
