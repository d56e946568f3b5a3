/**
 * Encodes and decodes pagination cursors. A keyed hash binds each cursor to its scope: the operation, the
 * caller or space, and the sort order. The service rejects a cursor from another scope with 400
 * (docs/specification/requests.md#pagination).
 */
import { sha256 } from "./hash.js";

/** A position in a sorted list: an item's sort keys, most significant first. */
export type Position = readonly number[];

/** Number of base64url characters of the keyed hash. They encode 64 bits, which cannot be guessed. */
const TAG_LENGTH = 11;

export class CursorCodec {
  /** @param secret key of the keyed hash; if it changes, all issued cursors become invalid */
  constructor(private readonly secret: string) {}

  /**
   * Returns the cursor for a position in a list.
   * @param scope the list that the cursor belongs to, such as `["read_inbox", handleId]`
   */
  encode(scope: readonly string[], position: Position): string {
    const body = position.map((number) => number.toString(36)).join(".");
    return `${body}.${this.tag(scope, body)}`;
  }

  /** Returns the cursor's position, or `undefined` if the cursor was not issued for this scope. */
  decode(scope: readonly string[], cursor: string): Position | undefined {
    const end = cursor.lastIndexOf(".");
    const body = cursor.slice(0, Math.max(end, 0));
    if (end < 1 || cursor.slice(end + 1) !== this.tag(scope, body)) return undefined;
    return body.split(".").map((digits) => Number.parseInt(digits, 36));
  }

  private tag(scope: readonly string[], body: string): string {
    return sha256(`${this.secret}\n${scope.join("\n")}\n${body}`).slice(0, TAG_LENGTH);
  }
}
