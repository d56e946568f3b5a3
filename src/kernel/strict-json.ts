/**
 * Parses JSON strictly (docs/specification/requests.md#json). Rejects input that `JSON.parse` would silently
 * change: duplicate keys, numbers that a double cannot represent, and lone surrogates. Also rejects deep
 * nesting.
 */
import { isUtf8 } from "node:buffer";

/** Maximum nesting depth of a request body, counted from its root (docs/specification/requests.md#json). */
export const MAX_JSON_DEPTH = 64;

export class JsonError extends Error {
  constructor(
    message: string,
    /** JSON Pointer to the invalid value; `""` refers to the whole text. */
    readonly pointer: string = "",
  ) {
    super(message);
  }
}

/**
 * Parses a request body. Rejects text that `JSON.parse` would accept but change.
 * @param outerLevels nesting levels that do not count towards the depth limit, such as the levels of a
 *   JSON-RPC message around the body
 * @throws JsonError
 */
export function parseJsonBytes(bytes: Buffer, outerLevels = 0): unknown {
  if (!isUtf8(bytes)) throw new JsonError("the body is not valid UTF-8");
  return parseJson(bytes.toString("utf8"), outerLevels);
}

/**
 * Parses a JSON text. Rejects text that `JSON.parse` would accept but change.
 * @param outerLevels nesting levels that do not count towards the depth limit, such as the levels of a
 *   JSON-RPC message around the body; negative for a text that is itself nested in a body
 * @param what a name for the text in error messages
 * @throws JsonError
 */
export function parseJson(text: string, outerLevels = 0, what = "the body"): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new JsonError(`${what} is not valid JSON: ${(error as SyntaxError).message}`);
  }
  new StrictScanner(text, outerLevels).run();
  return value;
}

interface Level {
  /** Keys of the object that were read so far; `undefined` if this level is an array. */
  keys: Set<string> | undefined;
  at: string | number;
}

/** The smallest positive double with full precision. */
const SMALLEST_NORMAL = 2.2250738585072014e-308;

const QUOTE = 34;
const BACKSLASH = 92;

/** Scans valid JSON text, and throws `JsonError` for values that `JSON.parse` would change. */
class StrictScanner {
  private readonly levels: Level[] = [];
  private index = 0;

  constructor(
    private readonly text: string,
    private readonly outerLevels: number,
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
    if (this.levels.length >= MAX_JSON_DEPTH + this.outerLevels) {
      throw new JsonError(`nested deeper than ${MAX_JSON_DEPTH} levels; flatten the value`, this.pointer());
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

  private key(): void {
    const level = this.levels.at(-1)!;
    if (!level.keys) return;
    while (isSpace(this.text.charCodeAt(this.index))) this.index++;
    if (this.text.charCodeAt(this.index) !== QUOTE) return;
    const key = this.string();
    level.at = key;
    if (level.keys.has(key))
      throw new JsonError(`the key ${JSON.stringify(key)} occurs twice; remove one`, this.pointer());
    level.keys.add(key);
  }

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
      throw new JsonError(
        "the string contains a lone surrogate; send complete Unicode characters",
        this.pointer(),
      );
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
        `the number ${shorten(literal)} is out of range; send it as a string`,
        this.pointer(),
      );
    }
    if (!isPreserved(literal, value)) {
      const message = `the number ${shorten(literal)} would be read as ${value}; send it as a string`;
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

/** Returns whether the quote at `index` is escaped: an odd number of backslashes precedes it. */
function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

/**
 * Returns whether parsing kept the number. `value` is the double parsed from `literal`, and its shortest
 * decimal text must equal the literal. For example, `0.1` is preserved, but `9007199254740993.0` is not. Up
 * to 15 digits are always preserved (IEEE 754, section 5.12.2), except near 0.
 */
function isPreserved(literal: string, value: number): boolean {
  if (literal.length <= 15 && Math.abs(value) >= SMALLEST_NORMAL) return true;
  const shortest = String(value);
  return literal === shortest || normalizeDecimal(literal) === normalizeDecimal(shortest);
}

/** Normalises a decimal literal, so that equal numbers have one text: `-1.50e3` becomes `-15e2`. */
function normalizeDecimal(literal: string): string {
  const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(
    literal,
  )!;
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const trimmed = trimZeros(digits);
  if (trimmed === "") return "0";
  return `${sign}${trimmed}e${Number(exponent) - fraction.length + (digits.length - trimmed.length)}`;
}

/** Removes trailing zeros. Uses a loop, because `/0+$/` takes quadratic time on hostile input. */
function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return digits.slice(0, end);
}

function shorten(literal: string): string {
  return literal.length > 40 ? `${literal.slice(0, 40)}…` : literal;
}
