/** Finds hosts, URLs and e-mail addresses in a text. */
import { ASCII, classAt, DIGIT, URL } from "./characters.js";

export interface Address {
  /** End of the e-mail address, or of the host with its port. */
  readonly end: number;
  /** End position of the URL path, or -1 if there is no path. */
  readonly pathEnd: number;
}

/** A run of labels: ASCII letters and digits, separated by single `.`, `-` or `_`. */
interface LabelRun {
  readonly start: number;
  readonly end: number;
  /** End of the longest host in the run, or -1. */
  readonly hostEnd: number;
  /** Position of the last dot in the longest host, or -1. */
  readonly lastDot: number;
  /** End of the e-mail address that starts with this run and an `@`, or -1. */
  readonly emailEnd: number;
}

/**
 * Caches the last run of labels, such as `www.example.org`, so that it is scanned only once. This keeps the
 * total time linear.
 */
export class LabelRunCache {
  private last: LabelRun | null = null;

  at(text: string, start: number): LabelRun {
    if (!this.last || start < this.last.start || start >= this.last.end)
      this.last = scanLabels(text, start, true);
    return this.last;
  }
}

/**
 * Returns the address that starts at `start`, or null. The character at `start` must be an ASCII letter or
 * digit.
 */
export function addressAt(text: string, start: number, runs: LabelRunCache): Address | null {
  const run = runs.at(text, start);
  if (run.emailEnd >= 0) return { end: run.emailEnd, pathEnd: -1 };
  const end = hostEnd(text, start, run);
  if (end < 0) return null;
  if (text[end] !== "/") return { end, pathEnd: -1 };
  let pathEnd = end + 1;
  while (classAt(text, pathEnd) & URL) pathEnd++;
  return { end, pathEnd: pathEnd > end + 1 ? pathEnd : -1 };
}

/** Returns the end of the e-mail address whose `@` is at `at`, or -1. */
export function emailAt(text: string, at: number): number {
  let start = at + 1;
  while (classAt(text, start) & DIGIT) start++;
  // Digits with an exponent, such as 1e5, are a number and not a host.
  if (start > at + 1 && /^e[+-]?\d/i.test(text.slice(start, start + 3))) return -1;
  const next = classAt(text, at + 1);
  if (!(next & ASCII)) return -1;
  return hostEnd(text, at + 1, scanLabels(text, at + 1, false));
}

/**
 * Scans the run of labels that starts at `start`, such as `www.example.org`. The last label of a host must
 * consist of two or more letters.
 */
function scanLabels(text: string, start: number, withEmail: boolean): LabelRun {
  let host = -1;
  let lastDot = -1;
  let dot = -1;
  let onlyLetters = false;
  let at = start;
  for (; ; at++) {
    const kind = classAt(text, at);
    if (kind & ASCII) {
      if (kind & DIGIT) onlyLetters = false;
      continue;
    }
    if (onlyLetters && at - dot > 2) {
      host = at;
      lastDot = dot;
    }
    const char = text[at];
    if ((char !== "." && char !== "-" && char !== "_") || !(classAt(text, at + 1) & ASCII)) break;
    onlyLetters = char === ".";
    if (onlyLetters) dot = at;
  }
  const emailEnd = withEmail && text[at] === "@" ? emailAt(text, at) : -1;
  return { start, end: at, hostEnd: host, lastDot, emailEnd };
}

/** Returns the end of the host and port that start at `start`, or -1. */
function hostEnd(text: string, start: number, { hostEnd: end, lastDot }: LabelRun): number {
  if (lastDot < start) return -1;
  if (text[end] !== ":" || !(classAt(text, end + 1) & DIGIT)) return end;
  let port = end + 1;
  while (classAt(text, port) & DIGIT) port++;
  return port;
}
