import {
  type CodePoints,
  complement,
  DIGITS,
  LAST,
  LINE_ENDS,
  property,
  SPACE,
  union,
  WORD,
} from "../../code-points.js";

/** A pattern that cannot be run; the message says why, and what can. */
export class PatternError extends Error {}

const NO_LOOK_AROUND =
  "look-around is not supported, because matching must take linear time: use allOf, anyOf or not with several patterns";
const NO_BACK_REFERENCE = "back-references are not supported, because matching must take linear time";
const REPEAT_LIMIT = `a repetition may count to ${1000} at most: for lengths use minLength and maxLength`;
const MAX_REPEAT = 1000;

/**
 * Writes a pattern of ECMA-262 with the `u` flag, the dialect that JSON Schema recommends (core, 6.4), in the syntax of
 * RE2, which differs in what `.`, `$`, `\s`, `\cX`, `\uHHHH`, `\p{…}` and `[^]` mean. Classes become explicit ranges, groups lose
 * their names and laziness is dropped: a test only asks whether there is a match.
 * @throws PatternError where the pattern is not of that dialect, or needs more than a linear-time engine can do.
 */
export function translate(pattern: string): string {
  try {
    new RegExp(pattern, "u");
  } catch (error) {
    throw new PatternError((error as Error).message.replace(/^Invalid regular expression: /, ""));
  }
  return new Translation(pattern).run();
}

/** Walks a pattern that is known to be valid. */
class Translation {
  #at = 0;

  constructor(readonly pattern: string) {}

  run(): string {
    let output = "";
    while (this.#at < this.pattern.length) output += this.#term();
    return output;
  }

  #term(): string {
    const char = this.#next();
    switch (char) {
      case "^":
        return "\\A";
      case "$":
        return "\\z";
      case ".":
        return write(complement(LINE_ENDS));
      case "(":
        return this.#group();
      case "[":
        return write(this.#class());
      case "\\":
        return this.#escape();
      case "{":
        return this.#repetition();
      case "*":
      case "+":
      case "?":
        this.#take("?");
        return char;
      case "|":
      case ")":
        return char;
      default:
        return literal(char.codePointAt(0)!);
    }
  }

  #group(): string {
    if (!this.#take("?")) return "(?:";
    if (this.#take(":")) return "(?:";
    if (this.#take("=") || this.#take("!") || this.#take("<=") || this.#take("<!"))
      throw new PatternError(NO_LOOK_AROUND);
    if (!this.#take("<")) throw new PatternError("flags inside of a pattern are not supported");
    this.#until(">");
    return "(?:";
  }

  #repetition(): string {
    const body = this.#until("}");
    this.#take("?");
    if (body.split(",").some((count) => Number(count) > MAX_REPEAT)) throw new PatternError(REPEAT_LIMIT);
    return `{${body}}`;
  }

  #escape(): string {
    const char = this.#peek();
    if (char === "b" || char === "B") return `\\${this.#next()}`;
    if (char === "k" || (char >= "1" && char <= "9")) throw new PatternError(NO_BACK_REFERENCE);
    const escaped = this.#escaped();
    return typeof escaped === "number" ? literal(escaped) : write(escaped);
  }

  /** Reads what follows a backslash, in a class or outside: one code point or a set of them. */
  #escaped(): number | CodePoints {
    const char = this.#next();
    const set = CLASS_ESCAPES[char];
    if (set) return set;
    switch (char) {
      case "p":
      case "P": {
        this.#take("{");
        const set = property(this.#until("}"));
        return char === "p" ? set : complement(set);
      }
      case "c":
        return this.#next().charCodeAt(0) % 32;
      case "x":
        return this.#hex(2);
      case "u":
        return this.#unicode();
      case "0":
        return 0;
      default:
        return CONTROL_ESCAPES[char] ?? char.codePointAt(0)!;
    }
  }

  /** `\u{…}`, `\uHHHH`, or two of these that form a surrogate pair. */
  #unicode(): number {
    if (this.#take("{")) return Number.parseInt(this.#until("}"), 16);
    const lead = this.#hex(4);
    const trail = /^\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(this.pattern.slice(this.#at, this.#at + 6))?.[1];
    if (lead < 0xd800 || lead > 0xdbff || trail === undefined) return lead;
    this.#at += 6;
    return 0x10000 + ((lead - 0xd800) << 10) + (Number.parseInt(trail, 16) - 0xdc00);
  }

  #class(): CodePoints {
    const negated = this.#take("^");
    const sets: CodePoints[] = [];
    while (!this.#take("]")) {
      const from = this.#classAtom();
      if (typeof from === "number" && this.#peek() === "-" && this.pattern[this.#at + 1] !== "]") {
        this.#at++;
        sets.push([[from, this.#classAtom() as number]]);
      } else sets.push(typeof from === "number" ? [[from, from]] : from);
    }
    const set = union(...sets);
    return negated ? complement(set) : set;
  }

  #classAtom(): number | CodePoints {
    const char = this.#next();
    if (char !== "\\") return char.codePointAt(0)!;
    if (this.#take("b")) return 8;
    return this.#escaped();
  }

  #peek(): string {
    return this.pattern[this.#at] ?? "";
  }

  #next(): string {
    const char = String.fromCodePoint(this.pattern.codePointAt(this.#at)!);
    this.#at += char.length;
    return char;
  }

  #take(text: string): boolean {
    const found = this.pattern.startsWith(text, this.#at);
    if (found) this.#at += text.length;
    return found;
  }

  #until(end: string): string {
    const from = this.#at;
    this.#at = this.pattern.indexOf(end, from) + end.length;
    return this.pattern.slice(from, this.#at - end.length);
  }

  #hex(digits: number): number {
    this.#at += digits;
    return Number.parseInt(this.pattern.slice(this.#at - digits, this.#at), 16);
  }
}

const CLASS_ESCAPES: Record<string, CodePoints | undefined> = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORD,
  W: complement(WORD),
  s: SPACE,
  S: complement(SPACE),
};

const CONTROL_ESCAPES: Record<string, number | undefined> = { t: 0x9, n: 0xa, v: 0xb, f: 0xc, r: 0xd };

function literal(codePoint: number): string {
  const char = String.fromCodePoint(codePoint);
  return /^[A-Za-z0-9_]$/.test(char) ? char : hex(codePoint);
}

function write(set: CodePoints): string {
  if (set.length === 0) return `[^${hex(0)}-${hex(LAST)}]`;
  return `[${set.map(([from, to]) => (from === to ? hex(from) : `${hex(from)}-${hex(to)}`)).join("")}]`;
}

function hex(codePoint: number): string {
  return `\\x{${codePoint.toString(16)}}`;
}
