/** HTTP requests whose bodies use a limited amount of memory, even if they arrive in tiny pieces. */
import { IncomingMessage } from "node:http";
import type { WireroomError } from "../../../src/contract/errors.js";
import type { RequestMemory } from "./request-memory.js";

/**
 * A body may arrive in this many pieces, and in one more per `MIN_PIECE_BYTES` received. Node spends a fixed
 * time on each piece, so a body in one-byte pieces would take as long as many requests.
 */
const MAX_PIECES = 1_000;
const MIN_PIECE_BYTES = 16;
/** Smaller pieces are merged up to this size, because Node keeps an object for each piece. */
const COLLECTED_BYTES = 16 * 1024;
/** Memory is counted in steps of this size. Most requests need less, so they are not counted at all. */
const STEP_BYTES = 12 * 1024;
/** Memory of a header besides its text: two string objects and their two list entries. */
const HEADER_BYTES = 128;
/** Memory of a request and its response, without headers and body. */
const REQUEST_BYTES = 3 * 1024;
/** HTTP methods for which at least one operation reads a body. */
const WITH_BODY = new Set(["POST", "PUT", "DELETE"]);
const NO_BYTES = Buffer.alloc(0);

/** Returns the estimated memory of a request without its body, in bytes. */
export function headBytes({ url = "", rawHeaders }: IncomingMessage): number {
  let bytes = REQUEST_BYTES + url.length + (rawHeaders.length / 2) * HEADER_BYTES;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}

/**
 * A request whose body uses little more memory than its size, however many pieces it arrives in. The memory
 * is counted until the request is finished.
 */
export class IncomingRequest extends IncomingMessage {
  /** Error of a request that the daemon refused to free memory. Its body cannot be read. */
  refusal: WireroomError | undefined;
  private memory: RequestMemory | undefined;
  private isCounted = false;
  private account: string | undefined;
  private headBytes = 0;
  private bytes = 0;
  private countedBytes = 0;
  private pieces = 0;
  private receivedBytes = 0;
  private isDiscarded = false;
  /** Small pieces that were not passed to the reader yet. `collected` is the number of bytes in use. */
  private buffer: Buffer = NO_BYTES;
  private collected = 0;

  /**
   * Starts counting the request's memory.
   * @param isWaiting true if the connection first handles an earlier request
   */
  meter(memory: RequestMemory, isWaiting: boolean): void {
    this.memory = memory;
    this.isCounted = true;
    this.isDiscarded = !WITH_BODY.has(this.method!);
    this.headBytes = headBytes(this);
    this.keep(this.headBytes, isWaiting ? 0 : STEP_BYTES);
  }

  /** Counts the request's memory toward an account, no longer toward its source address. */
  belongsTo(account: string): void {
    this.account = account;
    if (this.countedBytes === 0) return;
    this.memory?.remove(this);
    this.memory?.add(this, account, this.countedBytes);
  }

  /** Stops counting the memory, because the request is finished. */
  release(): void {
    if (this.countedBytes > 0) this.memory?.remove(this);
    this.countedBytes = 0;
    this.isCounted = false;
  }

  /** Discards the rest of the body, which must still arrive before the connection's next request. */
  discard(): this {
    this.isDiscarded = true;
    this.buffer = NO_BYTES;
    this.collected = 0;
    this.forgetBody();
    return this.resume();
  }

  /** Refuses the request to free memory. Its reader gets the error; without one, the connection is closed. */
  refuse(error: WireroomError): void {
    this.release();
    if (this.listenerCount("error") === 0) {
      this.memory?.close(this, error.message);
      return;
    }
    this.refusal = error;
    this.emit("error", error);
    this.discard();
  }

  /** Node calls this method with each piece of the body, and with null at the end. */
  override push(piece: Buffer | null): boolean {
    if (piece === null) {
      // Drop the trailers, because nothing reads them and they may be as large as the headers.
      if (this.rawTrailers.length > 0) this.rawTrailers = [];
      this.passOn();
      return super.push(null);
    }
    this.receivedBytes += piece.length;
    if (++this.pieces > MAX_PIECES + this.receivedBytes / MIN_PIECE_BYTES) {
      if (!this.socket.destroyed) this.memory?.close(this, "a body arrived in too many small pieces");
      return false;
    }
    if (!this.isDiscarded) this.keep(piece.length, STEP_BYTES);
    // `keep` may have refused this request.
    if (this.isDiscarded) return true;
    if (piece.length < COLLECTED_BYTES) return this.collect(piece);
    this.passOn();
    return super.push(piece);
  }

  /** Node calls this method if the response was sent before the body was read. */
  _dump(): void {
    this.discard();
  }

  private collect(piece: Buffer): boolean {
    const length = this.collected + piece.length;
    if (this.collected === 0) this.buffer = piece;
    else {
      if (length > this.buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(length, Math.min(2 * length, COLLECTED_BYTES)));
        this.buffer.copy(larger, 0, 0, this.collected);
        this.buffer = larger;
      }
      piece.copy(this.buffer, this.collected);
    }
    this.collected = length;
    return length < COLLECTED_BYTES || this.passOn();
  }

  /** Passes the collected pieces to the reader. Returns false if Node should pause reading. */
  private passOn(): boolean {
    if (this.collected === 0) return true;
    const { buffer, collected } = this;
    this.buffer = NO_BYTES;
    this.collected = 0;
    return super.push(collected === buffer.length ? buffer : buffer.subarray(0, collected));
  }

  /** @param stepBytes the smallest increase in bytes that is counted */
  private keep(bytes: number, stepBytes: number): void {
    this.bytes += bytes;
    const more = this.bytes - this.countedBytes;
    if (more < stepBytes || !this.isCounted) return;
    if (this.countedBytes === 0) this.once("end", () => this.forgetBody());
    this.countedBytes = this.bytes;
    this.memory?.add(this, this.account, more);
  }

  /** Counts only the head from now on, because the body was read. */
  private forgetBody(): void {
    if (this.countedBytes > 0) this.memory?.remove(this);
    this.bytes = 0;
    this.countedBytes = 0;
    this.keep(this.headBytes, STEP_BYTES);
  }
}
