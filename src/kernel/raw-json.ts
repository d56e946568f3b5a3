/** Serialises values whose parts may already be JSON text. */
import { isAscii, isUtf8 } from "node:buffer";

export type JsonText = string | Buffer;

/**
 * A value that is already serialised as JSON. The database stores wires as the JSON that responses contain.
 * So a page of wires is a concatenation of stored texts, which is faster than parsing and serialising them
 * again.
 */
export class RawJson<Value> {
  /** Never set at run time. Carries only the static type of the value that `json` encodes. */
  declare readonly value: Value;

  constructor(readonly json: JsonText) {}
}

/** The type `Value`, except that `RawJson` may replace any part of it. */
export type Encodable<Value> =
  | RawJson<Value>
  | (Value extends readonly (infer Item)[]
      ? Encodable<Item>[]
      : Value extends object
        ? { [Key in keyof Value]: Encodable<Value[Key]> }
        : Value);

/** Serialises a value to a JSON string. `RawJson` values are copied unchanged, even in arrays. */
export function encodeJson(value: unknown): string {
  return jsonToString(encodeJsonText(value));
}

/** Serialises a value to JSON. Returns bytes if a field is a `RawJson` that holds bytes. */
export function encodeJsonText(value: unknown): JsonText {
  if (value instanceof RawJson) return value.json;
  if (Array.isArray(value) && value.some((item) => item instanceof RawJson))
    return `[${value.map(encodeJson).join(",")}]`;
  if (value === null || typeof value !== "object" || Array.isArray(value)) return JSON.stringify(value);
  return encodeFields(value);
}

function encodeFields(value: object): JsonText {
  const parts: JsonText[] = [];
  let text = "{";
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue;
    text += `${text === "{" ? "" : ","}${JSON.stringify(key)}:`;
    const json = encodeJsonText(part);
    if (typeof json === "string") text += json;
    else {
      parts.push(text, json);
      text = "";
    }
  }
  return concatJson([...parts, `${text}}`]);
}

const FOUR_QUOTES = 0x22222222;
const FOUR_BACKSLASHES = 0x5c5c5c5c;

/**
 * Escapes JSON text for use inside a JSON string. Valid JSON has no raw control characters, so only quotation
 * marks and backslashes need an escape. The loop tests four bytes at a time, which is faster than
 * `JSON.stringify`. The expression `(x - 0x01010101) & ~x & 0x80808080` is 0 unless a byte of `x` is 0.
 */
export function escapeJsonBytes(json: Buffer): Buffer {
  const escaped = Buffer.allocUnsafeSlow(2 * json.length + 4);
  const source = new DataView(json.buffer, json.byteOffset, json.length);
  const target = new DataView(escaped.buffer);
  let [from, to] = [0, 0];
  while (from < json.length - 3) {
    const word = source.getInt32(from, true);
    target.setInt32(to, word, true);
    const [quotes, backslashes] = [word ^ FOUR_QUOTES, word ^ FOUR_BACKSLASHES];
    const found =
      (((quotes - 0x01010101) & ~quotes) | ((backslashes - 0x01010101) & ~backslashes)) & 0x80808080;
    const plain = found === 0 ? 4 : (31 - Math.clz32(found & -found)) >> 3;
    from += plain;
    to += plain;
    if (found === 0) continue;
    escaped[to++] = BACKSLASH!;
    escaped[to++] = json[from++]!;
  }
  for (; from < json.length; from++) {
    const byte = json[from]!;
    if (byte === QUOTE || byte === BACKSLASH) escaped[to++] = BACKSLASH!;
    escaped[to++] = byte;
  }
  return escaped.subarray(0, to);
}

export function concatJson(parts: readonly JsonText[]): JsonText {
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}

/** Thrown if JSON read from the database is invalid, because a disk error or another program changed it. */
export class DamagedJson extends Error {
  override readonly name = "DamagedJson";
}

/** Throws `DamagedJson` unless the bytes are valid UTF-8. This check is much cheaper than parsing. */
export function assertUtf8(json: JsonText): void {
  if (typeof json !== "string" && !isUtf8(json)) throw damaged();
}

export function assertValidJson(json: JsonText): void {
  assertUtf8(json);
  try {
    JSON.parse(jsonToString(json));
  } catch (cause) {
    throw damaged({ cause });
  }
}

function damaged(options?: ErrorOptions): DamagedJson {
  return new DamagedJson("stored JSON is damaged; `wireroom store check` names the row", options);
}

/** Converts JSON to a string. Decodes ASCII bytes as latin1, because that is faster than UTF-8. */
export function jsonToString(json: JsonText): string {
  if (typeof json === "string") return json;
  return isAscii(json) ? json.toString("latin1") : json.toString();
}

const [QUOTE, BACKSLASH, COMMA] = ['"', "\\", ","].map((character) => character.charCodeAt(0));
const OPENING = new Set(["[", "{"].map((character) => character.charCodeAt(0)));
const CLOSING = new Set(["]", "}"].map((character) => character.charCodeAt(0)));

/**
 * Splits a JSON array into the JSON texts of its items, which is faster than parsing the array. The text
 * must begin and end with a bracket, and an empty array must contain no whitespace.
 */
export function splitJsonArray(array: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let start = 1;
  for (let n = 0; n < array.length; n++) {
    const code = array.charCodeAt(n);
    if (code === QUOTE) n = endOfString(array, n);
    else if (OPENING.has(code)) depth++;
    else if (CLOSING.has(code)) depth--;
    const isEnd = depth === 0 || (depth === 1 && code === COMMA);
    if (!isEnd || n === start) continue;
    items.push(array.slice(start, n));
    start = n + 1;
  }
  return items;
}

function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
