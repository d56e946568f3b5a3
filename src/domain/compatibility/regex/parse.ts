/**
 * Reads the part of the regular-expression syntax on which ECMA-262 (with the `u` flag) and RE2 agree. What lies
 * outside (look-around, back-references, word boundaries, Unicode properties, flags) gives undefined, and the
 * comparison then knows nothing of the pattern but its text.
 */

import { type CodePoints, complement, DIGIT, type Dialect, dot, space, union, WORD } from "./classes.js";

export type Expression =
  | { kind: "class"; points: CodePoints }
  | { kind: "start" | "end" }
  | { kind: "sequence" | "choice"; parts: Expression[] }
  | { kind: "repeat"; part: Expression; min: number; max: number };

export interface Parsed {
  expression: Expression;
  /** Whether the pattern uses a class that the dialects read differently. */
  dialectal: boolean;
}

class Unsupported extends Error {}

/** How deep groups may nest. */
const MAX_DEPTH = 50;

export function parse(source: string, dialect: Dialect): Parsed | undefined {
  const parser = new Parser([...source], dialect);
  try {
    const expression = parser.choice(0);
    return parser.done() ? { expression, dialectal: parser.dialectal } : undefined;
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

const CONTROLS: Record<string, number> = { n: 0x0a, r: 0x0d, t: 0x09, f: 0x0c, v: 0x0b };
const SYNTAX = new Set("^$\\.*+?()[]{}|/-");

class Parser {
  dialectal = false;
  private at = 0;

  constructor(
    private readonly text: string[],
    private readonly dialect: Dialect,
  ) {}

  done(): boolean {
    return this.at === this.text.length;
  }

  choice(depth: number): Expression {
    if (depth > MAX_DEPTH) throw new Unsupported();
    const parts = [this.sequence(depth)];
    while (this.take("|")) parts.push(this.sequence(depth));
    return parts.length === 1 ? (parts[0] as Expression) : { kind: "choice", parts };
  }

  private sequence(depth: number): Expression {
    const parts: Expression[] = [];
    while (!this.done() && this.peek() !== "|" && this.peek() !== ")") parts.push(this.repeated(depth));
    return { kind: "sequence", parts };
  }

  private repeated(depth: number): Expression {
    const part = this.atom(depth);
    const bounds = this.quantifier();
    if (!bounds) return part;
    if (part.kind === "start" || part.kind === "end") throw new Unsupported();
    this.take("?"); // A lazy quantifier matches the same strings.
    if (["*", "+", "?", "{"].includes(this.peek())) throw new Unsupported();
    return { kind: "repeat", part, ...bounds };
  }

  private quantifier(): { min: number; max: number } | undefined {
    if (this.take("*")) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.take("+")) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.take("?")) return { min: 0, max: 1 };
    if (!this.take("{")) return undefined;
    const min = this.integer();
    let max = min;
    if (this.take(",")) max = this.peek() === "}" ? Number.POSITIVE_INFINITY : this.integer();
    if (!this.take("}") || max < min) throw new Unsupported();
    return { min, max };
  }

  private integer(): number {
    let digits = "";
    while (/^[0-9]$/.test(this.peek())) digits += this.next();
    if (digits === "" || digits.length > 6) throw new Unsupported();
    return Number(digits);
  }

  private atom(depth: number): Expression {
    const char = this.next();
    switch (char) {
      case "^":
        return { kind: "start" };
      case "$":
        return { kind: "end" };
      case ".":
        this.dialectal = true;
        return { kind: "class", points: dot(this.dialect) };
      case "(":
        return this.groupOf(depth);
      case "[":
        return { kind: "class", points: this.set() };
      case "\\":
        return { kind: "class", points: this.escape() };
      case "*":
      case "+":
      case "?":
      case "{":
      case "}":
      case "]":
        throw new Unsupported();
      default:
        return { kind: "class", points: single(char) };
    }
  }

  private groupOf(depth: number): Expression {
    if (this.take("?") && !this.take(":")) {
      this.take("P");
      if (!this.take("<")) throw new Unsupported();
      let name = "";
      while (/^[A-Za-z0-9_]$/.test(this.peek())) name += this.next();
      if (name === "" || !this.take(">")) throw new Unsupported();
    }
    const inner = this.choice(depth + 1);
    if (!this.take(")")) throw new Unsupported();
    return inner;
  }

  /** What follows a backslash. */
  private escape(): CodePoints {
    const char = this.next();
    switch (char) {
      case "d":
        return DIGIT;
      case "D":
        return complement(DIGIT);
      case "w":
        return WORD;
      case "W":
        return complement(WORD);
      case "s":
      case "S":
        this.dialectal = true;
        return char === "s" ? space(this.dialect) : complement(space(this.dialect));
      case "x":
        return this.hexadecimal(2);
      case "u":
        return this.hexadecimal(4);
    }
    const control = CONTROLS[char];
    if (control !== undefined) return [[control, control]];
    if (SYNTAX.has(char)) return single(char);
    throw new Unsupported();
  }

  private hexadecimal(length: number): CodePoints {
    let digits = "";
    while (digits.length < length) digits += this.next();
    const point = Number.parseInt(digits, 16);
    const surrogate = point >= 0xd800 && point <= 0xdfff;
    if (!/^[0-9a-fA-F]+$/.test(digits) || surrogate) throw new Unsupported();
    return [[point, point]];
  }

  /** What follows an opening bracket. */
  private set(): CodePoints {
    const negated = this.take("^");
    if (this.peek() === "]") throw new Unsupported();
    const ranges: [number, number][] = [];
    while (!this.take("]")) {
      const from = this.member();
      if (this.peek() === "-" && this.text[this.at + 1] !== "]") {
        this.next();
        const [start, end] = [only(from), only(this.member())];
        if (start === undefined || end === undefined || end < start) throw new Unsupported();
        ranges.push([start, end]);
      } else {
        for (const [start, end] of from) ranges.push([start, end]);
      }
    }
    const points = union(ranges);
    return negated ? complement(points) : points;
  }

  private member(): CodePoints {
    const char = this.next();
    if (char === "[") throw new Unsupported();
    if ((char === "&" || char === "-") && this.peek() === char) throw new Unsupported();
    return char === "\\" ? this.escape() : single(char);
  }

  private peek(): string {
    return this.text[this.at] ?? "";
  }

  private next(): string {
    const char = this.text[this.at++];
    if (char === undefined) throw new Unsupported();
    return char;
  }

  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }
}

function single(char: string): CodePoints {
  const point = char.codePointAt(0) as number;
  if (point >= 0xd800 && point <= 0xdfff) throw new Unsupported();
  return [[point, point]];
}

/** The one code point of a class, if it has just one. */
function only(points: CodePoints): number | undefined {
  const [first, ...rest] = points;
  return first && rest.length === 0 && first[0] === first[1] ? first[0] : undefined;
}
