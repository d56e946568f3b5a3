import { ASCII, classAt, DIGIT, URL } from "./characters.js";

/** A host (with its port) or an e-mail address ends at `end`; a URL's path goes on to `pathEnd`. */
export interface Address {
  readonly end: number;
  readonly pathEnd: number;
}

/** A run of labels: ASCII letters and digits with single `.`, `-` or `_` between them. */
interface Walk {
  readonly start: number;
  readonly end: number;
  /** Where the longest host within it ends, or -1, and where the point before its last label is. */
  readonly hostEnd: number;
  readonly hostPoint: number;
  /** Where the e-mail address ends whose first half is this run, or -1. */
  readonly emailEnd: number;
}

/** The last walk: what begins within it need not be walked again. Keeps the time linear. */
export class WalkMemo {
  private last: Walk | null = null;

  at(text: string, start: number): Walk {
    if (!this.last || start < this.last.start || start >= this.last.end) this.last = walk(text, start, true);
    return this.last;
  }
}

/** The address that begins at `start`, with an ASCII letter or digit. */
export function addressAt(text: string, start: number, memo: WalkMemo): Address | null {
  const found = memo.at(text, start);
  if (found.emailEnd >= 0) return { end: found.emailEnd, pathEnd: -1 };
  const end = hostEnd(text, start, found);
  if (end < 0) return null;
  if (text[end] !== "/") return { end, pathEnd: -1 };
  let pathEnd = end + 1;
  while (classAt(text, pathEnd) & URL) pathEnd++;
  return { end, pathEnd: pathEnd > end + 1 ? pathEnd : -1 };
}

/** The end of the e-mail address whose `@` is at `at`, or -1. */
export function emailAt(text: string, at: number): number {
  let start = at + 1;
  while (classAt(text, start) & DIGIT) start++;
  // Digits and an exponent are a number, whatever follows.
  if (start > at + 1 && /^e[+-]?\d/i.test(text.slice(start, start + 3))) return -1;
  const next = classAt(text, at + 1);
  if (!(next & ASCII)) return -1;
  return hostEnd(text, at + 1, walk(text, at + 1, false));
}

/** The last label of a host has two letters or more, and nothing but letters. */
function walk(text: string, start: number, withEmail: boolean): Walk {
  let host = -1;
  let hostPoint = -1;
  let point = -1;
  let onlyLetters = false;
  let at = start;
  for (; ; at++) {
    const kind = classAt(text, at);
    if (kind & ASCII) {
      if (kind & DIGIT) onlyLetters = false;
      continue;
    }
    if (onlyLetters && at - point > 2) {
      host = at;
      hostPoint = point;
    }
    const char = text[at];
    if ((char !== "." && char !== "-" && char !== "_") || !(classAt(text, at + 1) & ASCII)) break;
    onlyLetters = char === ".";
    if (onlyLetters) point = at;
  }
  const emailEnd = withEmail && text[at] === "@" ? emailAt(text, at) : -1;
  return { start, end: at, hostEnd: host, hostPoint, emailEnd };
}

/** The end of the host that begins at `start`, with its port, or -1. */
function hostEnd(text: string, start: number, { hostEnd: end, hostPoint }: Walk): number {
  if (hostPoint < start) return -1;
  if (text[end] !== ":" || !(classAt(text, end + 1) & DIGIT)) return end;
  let port = end + 1;
  while (classAt(text, port) & DIGIT) port++;
  return port;
}
