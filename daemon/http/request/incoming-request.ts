/** Requests whose bodies take a bounded amount of memory, however they arrive. */
import { IncomingMessage } from "node:http";
import type { WireroomError } from "../../../src/contract/errors.js";
import type { RequestMemory } from "./request-memory.js";

/**
 * Pieces in which a body may arrive, and bytes for each further one. Node spends a few microseconds on a
 * piece, so that a body in pieces of one byte would take as long as a hundred requests.
 */
const MAX_PIECES = 1_000;
const MIN_PIECE_BYTES = 16;
/** Smaller pieces are collected, because Node keeps an object for each piece. */
const COLLECTED_BYTES = 16 * 1024;
/** Memory is counted when it has grown by this much. Most requests take less, and cost nothing to count. */
const STEP_BYTES = 12 * 1024;
/** Memory of a header besides its text: two strings, and their places in two lists. */
const HEADER_BYTES = 128;
/** Memory of a request besides its head, with its response. */
const REQUEST_BYTES = 3 * 1024;
/** Methods of which some operation reads a body. */
const WITH_BODY = new Set(["POST", "PUT", "DELETE"]);
const NO_BYTES = Buffer.alloc(0);

/** Returns the memory that a request takes without its body. */
export function headBytes({ url = "", rawHeaders }: IncomingMessage): number {
  let bytes = REQUEST_BYTES + url.length + (rawHeaders.length / 2) * HEADER_BYTES;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}

/**
 * A request whose body takes little more memory than its size, however many pieces it arrives in, and whoever
 * reads it, now or later. Its memory is counted until the request is finished.
 */
export class IncomingRequest extends IncomingMessage {
  /** The error of a request that was given up to free its memory. Its body cannot be read. */
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
  /** Small pieces that were not passed on yet. They fill the buffer up to `collected`. */
  private buffer: Buffer = NO_BYTES;
  private collected = 0;

  /**
   * Counts the memory of the request from now on.
   * @param isWaiting whether another request of its connection is handled first
   */
  meter(memory: RequestMemory, isWaiting: boolean): void {
    this.memory = memory;
    this.isCounted = true;
    this.isDiscarded = !WITH_BODY.has(this.method!);
    this.headBytes = headBytes(this);
    this.keep(this.headBytes, isWaiting ? 0 : STEP_BYTES);
  }

  /** Counts the memory of the request for an account instead of its source. */
  belongsTo(account: string): void {
    this.account = account;
    if (this.countedBytes === 0) return;
    this.memory?.remove(this);
    this.memory?.add(this, account, this.countedBytes);
  }

  /** Stops counting, because the request is finished. */
  release(): void {
    if (this.countedBytes > 0) this.memory?.remove(this);
    this.countedBytes = 0;
    this.isCounted = false;
  }

  /** Drops the rest of the body, which still has to arrive before the next request. */
  discard(): this {
    this.isDiscarded = true;
    this.buffer = NO_BYTES;
    this.collected = 0;
    this.forgetBody();
    return this.resume();
  }

  /** Gives up the request. Its reader gets the error; without a reader, the connection is closed. */
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

  /** Node calls this method for each piece of the body, and at its end with null. */
  override push(piece: Buffer | null): boolean {
    if (piece === null) {
      // Nobody reads the trailers, which may be as large as the headers.
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
    // It may have been refused just now.
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

  /** Passes on what was collected. Returns whether Node should go on reading. */
  private passOn(): boolean {
    if (this.collected === 0) return true;
    const { buffer, collected } = this;
    this.buffer = NO_BYTES;
    this.collected = 0;
    return super.push(collected === buffer.length ? buffer : buffer.subarray(0, collected));
  }

  /** @param stepBytes bytes that may go uncounted */
  private keep(bytes: number, stepBytes: number): void {
    this.bytes += bytes;
    const more = this.bytes - this.countedBytes;
    if (more < stepBytes || !this.isCounted) return;
    if (this.countedBytes === 0) this.once("end", () => this.forgetBody());
    this.countedBytes = this.bytes;
    this.memory?.add(this, this.account, more);
  }

  /** Counts the head alone, because the body was read. */
  private forgetBody(): void {
    if (this.countedBytes > 0) this.memory?.remove(this);
    this.bytes = 0;
    this.countedBytes = 0;
    this.keep(this.headBytes, STEP_BYTES);
  }
}
