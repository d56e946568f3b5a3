/**
 * Limits the memory for requests and responses (docs/specification/limits.md#connections). Counts request
 * bodies that are incomplete or unread, waiting pipelined requests, large headers of long polls, and
 * responses that clients have not read.
 */
import { type IncomingHttpHeaders, IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { WireroomError } from "../../src/contract/errors.js";
import type { SourceOf } from "./source.js";

const MIB = 1024 * 1024;
const LIMITS_OF_ACCOUNTS = { total: 128 * MIB, perOwner: 16 * MIB };
/** Limits for requests without a known account, so that they never displace accounts' requests. */
const LIMITS_OF_SOURCES = { total: 64 * MIB, perOwner: 16 * MIB };
const LIMITS_OF_RESPONSES = { total: 256 * MIB, perOwner: 64 * MIB };
/**
 * Shorter responses are not counted: each connection holds at most one, so the limit on connections is
 * enough.
 */
const MIN_RESPONSE_BYTES = 16 * 1024;
/**
 * Maximum number of pieces in which a body may arrive, plus one per `MIN_PIECE_BYTES` received. Node spends a
 * fixed time on each piece, so many small pieces are expensive.
 */
const MAX_PIECES = 1_000;
const MIN_PIECE_BYTES = 16;
/** Small pieces are merged up to this size, because Node keeps an object for each piece. */
const COLLECTED_BYTES = 16 * 1024;
/** Memory is counted in steps of this size. Most requests use less memory, so they are not counted at all. */
const STEP_BYTES = 12 * 1024;
/** Memory that a header uses in addition to its text: two string objects and two list entries. */
const HEADER_BYTES = 128;
/** Memory that a request and its response use without headers and body. */
const REQUEST_BYTES = 3 * 1024;
export const METHODS_WITH_BODY = ["POST", "PUT", "DELETE"];
const NO_BYTES = Buffer.alloc(0);

/** Node takes milliseconds to create `headers` of 2,000 headers. Ordinary requests have fewer than this. */
const MANY_HEADERS = 100;

const { _addHeaderLine: addHeaderLine } = IncomingMessage.prototype as unknown as IncomingRequest;

function headBytesOf({ url = "", rawHeaders }: IncomingMessage): number {
  let bytes = REQUEST_BYTES + url.length + (rawHeaders.length / 2) * HEADER_BYTES;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}

/**
 * A request whose body uses little more memory than its size, even if it arrives in many pieces. The memory
 * is counted until the request is finished.
 */
export class IncomingRequest extends IncomingMessage {
  /** Set when the daemon refuses the request to free memory. The body is then unreadable. */
  refusal: WireroomError | undefined;
  /** Memory that the request takes without its body. */
  headBytes = 0;
  private isOpened = false;
  private memory: RequestMemory | undefined;
  private isCounted = false;
  private account: string | undefined;
  private bytes = 0;
  private countedBytes = 0;
  private pieces = 0;
  private receivedBytes = 0;
  private isDiscarded = false;
  /** Small pieces that the reader has not received yet. `collected` counts their bytes. */
  private buffer: Buffer = NO_BYTES;
  private collected = 0;

  /** @param isWaiting true if the connection must handle an earlier request first */
  meter(memory: RequestMemory, isWaiting: boolean): void {
    this.memory = memory;
    this.isCounted = true;
    this.isDiscarded = !METHODS_WITH_BODY.includes(this.method!);
    this.headBytes = headBytesOf(this);
    this.keep(this.headBytes, isWaiting ? 0 : STEP_BYTES);
  }

  /** Called when the connection begins to handle the request. Until then, `headers` may be incomplete. */
  open(): void {
    this.isOpened = true;
    if (this.hasManyHeaders()) Object.assign(this, { headers: undefined });
  }

  /**
   * Called by Node with each header when `headers` is read for the first time. Adds only `Expect` while the
   * request waits, because Node reads it at once, and the connection may be closed before it reads another.
   */
  _addHeaderLine(name: string, value: string, headers: IncomingHttpHeaders): void {
    if (!this.isOpened && this.hasManyHeaders() && name.toLowerCase() !== "expect") return;
    addHeaderLine.call(this, name, value, headers);
  }

  private hasManyHeaders(): boolean {
    return this.rawHeaders.length / 2 > MANY_HEADERS;
  }

  /** From now on, counts the request's memory toward an account instead of its source address. */
  belongsTo(account: string): void {
    this.account = account;
    if (this.countedBytes === 0) return;
    this.memory?.remove(this);
    this.memory?.add(this, account, this.countedBytes);
  }

  release(): void {
    if (this.countedBytes > 0) this.memory?.remove(this);
    this.countedBytes = 0;
    this.isCounted = false;
  }

  /** Discards the rest of the body. The rest must still arrive before the connection's next request. */
  discard(): this {
    this.isDiscarded = true;
    this.buffer = NO_BYTES;
    this.collected = 0;
    this.forgetBody();
    return this.resume();
  }

  /** The body's reader gets an error. If there is no reader, the connection is closed. */
  refuse(): void {
    const error = unavailable(
      "too many unfinished requests of this account or network take memory; finish some of them first, and try again",
    );
    this.release();
    if (this.listenerCount("error") === 0) {
      this.memory?.close(this, error.message);
      return;
    }
    this.refusal = error;
    this.emit("error", error);
    this.discard();
  }

  /** Called by Node with each piece of the body, and with null at the end. */
  override push(piece: Buffer | null): boolean {
    if (piece === null) {
      // Drop the trailers, because nothing reads them and they may be as large as the headers.
      if (this.rawTrailers.length > 0) this.rawTrailers = [];
      this.passOn();
      return super.push(null);
    }
    this.receivedBytes += piece.length;
    if (++this.pieces > MAX_PIECES + this.receivedBytes / MIN_PIECE_BYTES) {
      if (!this.socket.destroyed) {
        ignoreBody(this.socket);
        this.memory?.close(this, "a body arrived in too many small pieces");
      }
      return false;
    }
    if (!this.isDiscarded) this.keep(piece.length, STEP_BYTES);
    if (this.isDiscarded) return true;
    if (piece.length < COLLECTED_BYTES) return this.collect(piece);
    this.passOn();
    return super.push(piece);
  }

  /** Called by Node if the response was sent before the body was read. */
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

  /** Returns false if Node should stop reading for now. */
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

  /** From now on, counts only the head, because the body was read. */
  private forgetBody(): void {
    if (this.countedBytes > 0) this.memory?.remove(this);
    this.bytes = 0;
    this.countedBytes = 0;
    this.keep(this.headBytes, STEP_BYTES);
  }
}

/**
 * Stops Node from reporting the body's remaining pieces until the connection is closed. Node parses all of
 * the up to 64 KiB that it has read, and creating a buffer for each piece takes most of that time. Node does
 * not document its parser; without the expected property, this function has no effect.
 */
function ignoreBody(socket: Socket & { parser?: Record<string, unknown> | null }): void {
  const { parser } = socket;
  for (const [name, callback] of Object.entries(parser ?? {})) {
    if (!(callback instanceof Function) || callback.name !== "parserOnBody") continue;
    parser![name] = undefined;
    // Node reuses the parser for another connection.
    socket.once("close", () => {
      parser![name] = callback;
    });
  }
}

export class RequestMemory {
  private readonly accounts = new ByteBudget<IncomingRequest>(LIMITS_OF_ACCOUNTS, (each) => each.refuse());
  private readonly sources = new ByteBudget<IncomingRequest>(LIMITS_OF_SOURCES, (each) => each.refuse());

  constructor(
    private readonly sourceOf: SourceOf,
    private readonly log: Logger,
  ) {}

  /**
   * If a limit is exceeded, refuses the oldest requests of the account or source with the most bytes. This
   * request may be one of them.
   */
  add(request: IncomingRequest, account: string | undefined, bytes: number): void {
    const budget = account === undefined ? this.sources : this.accounts;
    const owner = account ?? this.sourceOf(request);
    budget.add(request, owner, bytes);
    while (budget.bytesOf(owner) > budget.limits.perOwner) budget.dropOldest(owner);
    while (budget.total > budget.limits.total) budget.dropOldest(budget.largestOwner());
  }

  remove(request: IncomingRequest): void {
    this.sources.remove(request);
    this.accounts.remove(request);
  }

  close({ socket }: IncomingRequest, reason: string): void {
    this.log.info({ operation: "none", reason }, "connection closed");
    socket.destroy();
  }
}

/**
 * Bytes of responses that clients have not read yet. Without a limit, a few hundred clients that request long
 * pages but never read them could exhaust the daemon's memory.
 */
export class WaitingBytes {
  private readonly budget: ByteBudget<ServerResponse>;

  constructor(log: Logger) {
    this.budget = new ByteBudget(LIMITS_OF_RESPONSES, (response) => {
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
   * Counts a part of a response until the response is closed. If the total limit is exceeded, closes the
   * oldest responses of the account with the most unread bytes.
   * @param isRequired whether the part must be sent because it is a write's result
   * @throws WireroomError UNAVAILABLE if the part exceeds a limit and is not required
   */
  add(response: ServerResponse, account: string, bytes: number, isRequired: boolean): void {
    // A response that is already closed does not emit `close` again, so its bytes would be counted forever.
    if (bytes < MIN_RESPONSE_BYTES || response.destroyed) return;
    const { budget } = this;
    const ofAccount = budget.bytesOf(account) + bytes;
    if (ofAccount > budget.limits.perOwner && !isRequired) throw tooManyWaiting();
    while (budget.total + bytes > budget.limits.total) {
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
  return unavailable(
    "too many responses wait for clients that do not read them; read them first, and try again",
  );
}

function unavailable(message: string): WireroomError {
  return new WireroomError("UNAVAILABLE", message, { retry_after: 1 });
}

class ByteBudget<Item> {
  total = 0;
  /** Each owner's items with their sizes in bytes, oldest first. */
  private readonly byOwner = new Map<string, { bytes: number; items: Map<Item, number> }>();
  private readonly ownerOf = new Map<Item, string>();

  /** @param drop called after an item was removed to free memory */
  constructor(
    readonly limits: { total: number; perOwner: number },
    private readonly drop: (item: Item) => void,
  ) {}

  bytesOf(owner: string): number {
    return this.byOwner.get(owner)?.bytes ?? 0;
  }

  has(item: Item): boolean {
    return this.ownerOf.has(item);
  }

  /** An item keeps its owner until it is removed. */
  add(item: Item, owner: string, bytes: number): void {
    const owned = this.byOwner.get(owner) ?? { bytes: 0, items: new Map<Item, number>() };
    owned.items.set(item, (owned.items.get(item) ?? 0) + bytes);
    owned.bytes += bytes;
    this.total += bytes;
    this.byOwner.set(owner, owned);
    this.ownerOf.set(item, owner);
  }

  remove(item: Item): void {
    const owner = this.ownerOf.get(item);
    if (owner === undefined) return;
    const owned = this.byOwner.get(owner)!;
    const bytes = owned.items.get(item)!;
    this.ownerOf.delete(item);
    owned.items.delete(item);
    owned.bytes -= bytes;
    this.total -= bytes;
    if (owned.items.size === 0) this.byOwner.delete(owner);
  }

  /** There must be at least one item. */
  largestOwner(): string {
    let largest = "";
    for (const owner of this.byOwner.keys()) if (this.bytesOf(owner) > this.bytesOf(largest)) largest = owner;
    return largest;
  }

  dropOldest(owner: string): void {
    const [oldest] = this.byOwner.get(owner)!.items.keys();
    this.remove(oldest!);
    this.drop(oldest!);
  }
}
