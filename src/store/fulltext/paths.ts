import { ASCII, classAt, SPACE } from "./characters.js";

/** What has just been read when a path begins, or goes on. */
export const FROM_SLASH = 0;
export const FROM_TILDE = 1;
/** A point at the beginning, or after a slash. */
export const FROM_DOT = 2;
const AFTER_SLASH_DOT = 3;
const TWO_DOTS = 4;
/** In a name. */
export const WITHIN = 5;

/**
 * Reads paths and file names: names of ASCII letters, digits, `_`, `-` and inner points, with `/`, `./`, `../` and
 * `~/` before or between them.
 */
export class PathReader {
  /** From here to there no name follows any slash: known from an attempt that failed. Keeps the time linear. */
  private barrenFrom = 0;
  private barrenTo = 0;

  constructor(private readonly text: string) {}

  /** The end of the path that goes on at `from`, or -1 when it is none. */
  read(state: number, from: number): number {
    let accepted = -1;
    let slash = from;
    for (let at = from; ; at++) {
      const char = this.text[at];
      const named = char === "_" || (classAt(this.text, at) & ASCII) !== 0;
      if (state === FROM_SLASH && at >= this.barrenFrom && at < this.barrenTo) return accepted;
      if (named && state !== TWO_DOTS && state !== FROM_DOT) {
        state = WITHIN;
      } else if (state === WITHIN) {
        if (char === "/") {
          accepted = at;
          state = FROM_SLASH;
          slash = at + 1;
        } else if (char !== "-" && !(char === "." && this.isNamed(at + 1))) return at;
      } else if (state === TWO_DOTS && (char === undefined || classAt(this.text, at) & SPACE)) {
        return at;
      } else {
        if (state === TWO_DOTS && char === "/") {
          accepted = at;
          slash = at + 1;
        }
        const next = transition(state, char);
        if (next < 0) return this.fail(slash, at, accepted);
        state = next;
      }
    }
  }

  private fail(from: number, to: number, accepted: number): number {
    this.barrenFrom = from;
    this.barrenTo = to;
    return accepted;
  }

  private isNamed(at: number): boolean {
    return this.text[at] === "_" || (classAt(this.text, at) & ASCII) !== 0;
  }
}

/** What follows on one of the signs between names, or -1. */
function transition(state: number, char: string | undefined): number {
  if (char === "/") return state === FROM_SLASH ? -1 : FROM_SLASH;
  if (char === "~") return state === FROM_SLASH ? FROM_TILDE : -1;
  if (char !== ".") return -1;
  if (state === FROM_SLASH) return AFTER_SLASH_DOT;
  return state === AFTER_SLASH_DOT || state === FROM_DOT ? TWO_DOTS : -1;
}
