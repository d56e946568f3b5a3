/** Reads paths and file names. */
import { ASCII, classAt, SPACE } from "./characters.js";

/** States of the parser, named after the character that it has just read. */
export const AFTER_SLASH = 0;
export const AFTER_TILDE = 1;
/** State after a dot at the start of a path. Only "/" or another dot may follow. */
export const AFTER_LEADING_DOT = 2;
const AFTER_SLASH_DOT = 3;
const TWO_DOTS = 4;
export const IN_NAME = 5;

/**
 * Parses paths and file names. Names consist of ASCII letters, digits, `_`, `-` and inner dots, and each name
 * can follow `/`, `./`, `../` or `~/`.
 */
export class PathReader {
  /**
   * No slash in this range is followed by a name, so the range is not scanned again. This keeps the total
   * time linear.
   */
  private noNameFrom = 0;
  private noNameTo = 0;

  constructor(private readonly text: string) {}

  /**
   * Parses the rest of a path from the position `from`, starting in `state`. Returns the end of the path, or
   * -1.
   */
  read(state: number, from: number): number {
    let accepted = -1;
    let slash = from;
    for (let at = from; ; at++) {
      if (state === AFTER_SLASH && at >= this.noNameFrom && at < this.noNameTo) return accepted;
      const char = this.text[at];
      if (this.isNameCharacter(at) && state !== TWO_DOTS && state !== AFTER_LEADING_DOT) {
        state = IN_NAME;
        continue;
      }
      if (state === IN_NAME && (char === "-" || (char === "." && this.isNameCharacter(at + 1)))) continue;
      if (state === IN_NAME || state === TWO_DOTS) {
        if (char === "/") {
          accepted = at;
          slash = at + 1;
        } else if (state === IN_NAME || this.isSpaceOrEnd(at)) return at;
      }
      const next = transition(state, char);
      if (next < 0) return this.fail(slash, at, accepted);
      state = next;
    }
  }

  private fail(from: number, to: number, accepted: number): number {
    this.noNameFrom = from;
    this.noNameTo = to;
    return accepted;
  }

  private isSpaceOrEnd(at: number): boolean {
    return at >= this.text.length || (classAt(this.text, at) & SPACE) !== 0;
  }

  private isNameCharacter(at: number): boolean {
    return this.text[at] === "_" || (classAt(this.text, at) & ASCII) !== 0;
  }
}

/** Returns the parser state after a separator character, or -1 if the character is not allowed in `state`. */
function transition(state: number, char: string | undefined): number {
  if (char === "/") return state === AFTER_SLASH ? -1 : AFTER_SLASH;
  if (char === "~") return state === AFTER_SLASH ? AFTER_TILDE : -1;
  if (char !== ".") return -1;
  if (state === AFTER_SLASH) return AFTER_SLASH_DOT;
  return state === AFTER_SLASH_DOT || state === AFTER_LEADING_DOT ? TWO_DOTS : -1;
}
