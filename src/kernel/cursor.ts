/**
 * Opaque cursors. One is bound to the operation, the caller or space, and the order that it was issued for by a keyed
 * tag, so that any other is told apart (decisions, section 2: a cursor that this operation did not issue is a 400).
 */
import { sha256 } from "./hash.js";

/** A position within a list: whole numbers, most significant first. */
export type Position = readonly number[];

const TAG_LENGTH = 11; // 64 bits of base64url: ample against guessing, short enough to read in a log

export class CursorCodec {
  /** @param secret any text that is kept for the life of the database */
  constructor(private readonly secret: string) {}

  /** @param scope what the cursor is bound to, such as `["read_inbox", handleId]` */
  encode(scope: readonly string[], position: Position): string {
    const body = position.map((number) => number.toString(36)).join(".");
    return `${body}.${this.tag(scope, body)}`;
  }

  /** The position, or `undefined` where this scope never issued the cursor. */
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
