/**
 * JSON input, read so that nothing changes silently (decisions, section 2): what `JSON.parse` lets pass but would alter
 * (duplicate keys, numbers that a double cannot hold, lone surrogates) is refused, and so is deep nesting.
 */
import { isUtf8 } from "node:buffer";

/** Levels of nesting that a body may have, counted from its root (decisions, section 2). */
export const MAX_JSON_DEPTH = 64;

/** Why a text is not acceptable JSON. */
export class JsonError extends Error {
  constructor(
    message: string,
    /** JSON Pointer to the offending value, `""` where it is the text as a whole. */
    readonly pointer: string = "",
  ) {
    super(message);
  }
}

/** Parses the bytes of a body. Throws `JsonError`. */
export function parseJsonBytes(bytes: Buffer, wrapping = 0): unknown {
  if (!isUtf8(bytes)) throw new JsonError("the body is not valid UTF-8");
  return parseJson(bytes.toString("utf8"), wrapping);
}

/**
 * Parses a text. Throws `JsonError`.
 *
 * @param wrapping levels around the body proper that do not count, such as those of a JSON-RPC message
 */
export function parseJson(text: string, wrapping = 0): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new JsonError(`the body is not valid JSON: ${(error as SyntaxError).message}`);
  }
  new Inspection(text, wrapping).run();
  return value;
}

interface Level {
  /** Keys seen so far; `undefined` for an array. */
  keys: Set<string> | undefined;
  /** The key or index that is being read. */
  at: string | number;
}

/** The least positive double of full precision. */
const SMALLEST_NORMAL = 2.2250738585072014e-308;

const QUOTE = 34;
const BACKSLASH = 92;

/** One pass over a text that is known to be syntactically valid. */
class Inspection {
  private readonly levels: Level[] = [];
  private index = 0;

  constructor(
    private readonly text: string,
    private readonly wrapping: number,
  ) {}

  run(): void {
    const { text } = this;
    while (this.index < text.length) {
      const char = text.charCodeAt(this.index);
      if (char === QUOTE) this.string();
      else if (char === 123 || char === 91) this.open(char === 123);
      else if (char === 125 || char === 93) {
        this.levels.pop();
        this.index++;
      } else if (char === 44) this.comma();
      else if (char === 45 || (char >= 48 && char <= 57)) this.number();
      else this.index++;
    }
  }

  private open(isObject: boolean): void {
    if (this.levels.length >= MAX_JSON_DEPTH + this.wrapping) {
      throw new JsonError(`nested deeper than ${MAX_JSON_DEPTH} levels`, this.pointer());
    }
    this.levels.push({ keys: isObject ? new Set() : undefined, at: isObject ? "" : 0 });
    this.index++;
    this.key();
  }

  private comma(): void {
    const level = this.levels.at(-1)!;
    if (!level.keys) level.at = (level.at as number) + 1;
    this.index++;
    this.key();
  }

  /** Reads the key that follows, where the current level is an object that has one. */
  private key(): void {
    const level = this.levels.at(-1)!;
    if (!level.keys) return;
    while (isSpace(this.text.charCodeAt(this.index))) this.index++;
    if (this.text.charCodeAt(this.index) !== QUOTE) return;
    const key = this.string();
    level.at = key;
    if (level.keys.has(key))
      throw new JsonError(`the key ${JSON.stringify(key)} occurs twice`, this.pointer());
    level.keys.add(key);
  }

  /** Reads a string and gives its raw content, unescaped where it holds escapes. */
  private string(): string {
    const { text } = this;
    const start = this.index;
    let end = text.indexOf('"', start + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    this.index = end + 1;
    const raw = text.slice(start + 1, end);
    if (!raw.includes("\\")) return raw;
    const value = JSON.parse(text.slice(start, end + 1)) as string;
    if (!value.isWellFormed()) {
      throw new JsonError("a lone surrogate is no Unicode text; send whole characters", this.pointer());
    }
    return value;
  }

  private number(): void {
    const { text } = this;
    const start = this.index;
    while (this.index < text.length && isNumberChar(text.charCodeAt(this.index))) this.index++;
    const literal = text.slice(start, this.index);
    const value = Number(literal);
    if (!Number.isFinite(value)) {
      throw new JsonError(
        `the number ${brief(literal)} is out of range; send it as a string`,
        this.pointer(),
      );
    }
    if (!survives(literal, value)) {
      const message = `the number ${brief(literal)} would be read as ${value}; send it as a string`;
      throw new JsonError(message, this.pointer());
    }
  }

  private pointer(): string {
    return this.levels
      .map((level) => `/${String(level.at).replaceAll("~", "~0").replaceAll("/", "~1")}`)
      .join("");
  }
}

function isSpace(char: number): boolean {
  return char === 32 || char === 10 || char === 13 || char === 9;
}

function isNumberChar(char: number): boolean {
  return (
    (char >= 48 && char <= 57) || char === 45 || char === 43 || char === 46 || char === 101 || char === 69
  );
}

/** Whether the quote at `index` is preceded by an odd number of backslashes. */
function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

/**
 * Whether a double keeps what the literal says. Up to 15 digits always survive, and 17 are what programs print of a double
 * (IEEE 754, 5.12.2), so `0.10000000000000001` is 0.1; an integer must be exact, and nothing may vanish to 0.
 */
function survives(literal: string, value: number): boolean {
  if (literal.length <= 15 && Math.abs(value) >= SMALLEST_NORMAL) return true;
  const mantissa = literal.split(/[eE]/, 1)[0]!;
  const digits = mantissa.replace(/[-.]/g, "").replace(/^0+/, "");
  if (digits === "") return true;
  if (value !== 0 && digits.length <= 17 && /[.eE]/.test(literal)) return true;
  return decimal(literal) === decimal(String(value));
}

/** A decimal literal as sign, digits and exponent in one form, equal for equal values: `-1.50e3` → `-15e2`. */
function decimal(literal: string): string {
  const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(
    literal,
  )!;
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const trimmed = trimZeros(digits);
  if (trimmed === "") return "0";
  return `${sign}${trimmed}e${Number(exponent) - fraction.length + (digits.length - trimmed.length)}`;
}

/** Without trailing zeros; a loop, as `/0+$/` takes quadratic time on hostile digits. */
function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return digits.slice(0, end);
}

function brief(literal: string): string {
  return literal.length > 40 ? `${literal.slice(0, 40)}…` : literal;
}
