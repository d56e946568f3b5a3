/**
 * Encodes and decodes pagination cursors. A keyed hash binds each cursor to its scope: the operation, the
 * caller or space, and the sort order. The service rejects a cursor from another scope with 400
 * (docs/specification/requests.md#pagination).
 */
import { sha256 } from "./hash.js";

/** A position in a sorted list: an item's sort keys, most significant first. */
export type Position = readonly number[];

/** A period of the database's history. Each restore begins a new epoch (src/store/engine/epochs.ts). */
export interface Epoch {
  id: string;
  /** Primary key of the last wire that was kept from the previous epoch; 0 if none was kept. */
  lastSharedWire: number;
}

/** Number of base64url characters in a cursor's keyed hash. They encode 64 bits, too many to guess. */
const TAG_LENGTH = 11;

export class CursorCodec {
  /** Id of the database's current epoch, which new cursors contain. Empty before the first restore. */
  private readonly epoch: string;

  /**
   * @param secret key of the keyed hash; if it changes, all issued cursors become invalid
   * @param epochs the epochs that began with a restore of the database, oldest first
   */
  constructor(
    private readonly secret: string,
    private readonly epochs: readonly Epoch[] = [],
  ) {
    this.epoch = epochs.at(-1)?.id ?? "";
  }

  /**
   * Returns the cursor for a position in a list.
   * @param scope the list that the cursor belongs to, such as `["read_inbox", handleId]`
   */
  encode(scope: readonly string[], position: Position): string {
    const numbers = position.map((number) => number.toString(36)).join(".");
    const body = this.epoch === "" ? numbers : `${numbers}~${this.epoch}`;
    return `${body}.${this.tag(scope, body)}`;
  }

  /** Returns the cursor's position, or `undefined` if the cursor was not issued for this scope. */
  decode(scope: readonly string[], cursor: string): Position | undefined {
    const end = cursor.lastIndexOf(".");
    const body = cursor.slice(0, Math.max(end, 0));
    if (end < 1 || cursor.slice(end + 1) !== this.tag(scope, body)) return undefined;
    const [numbers = ""] = body.split("~");
    return numbers.split(".").map((digits) => Number.parseInt(digits, 36));
  }

  /**
   * Returns the primary key of the last wire that a database restore kept, for a cursor from before that
   * restore. Returns undefined for a cursor since the latest restore. If the cursor's epoch is unknown,
   * assumes the oldest.
   */
  lastSharedWire(cursor: string): number | undefined {
    const [, epoch = ""] = /~(\w+)\.[\w-]+$/.exec(cursor) ?? [];
    if (epoch === this.epoch) return undefined;
    const next = this.epochs.findIndex(({ id }) => id === epoch) + 1;
    return this.epochs[next]?.lastSharedWire ?? 0;
  }

  private tag(scope: readonly string[], body: string): string {
    return sha256(`${this.secret}\n${scope.join("\n")}\n${body}`).slice(0, TAG_LENGTH);
  }
}
