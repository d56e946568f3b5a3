import { isAscii } from "node:buffer";

/** JSON as text, or as the bytes of one, in UTF-8. */
export type Json = string | Buffer;

/**
 * JSON that is already there. Stored wires are kept as the very JSON that a response carries, so a page of them is joined,
 * never parsed and written again (ready-made JSON costs a third of building it per row).
 */
export class Verbatim<Value> {
  /** Never set: it only carries the type of the value that `json` spells. */
  declare readonly value: Value;

  /** @param quoted the same as it stands within a JSON text, where that is ready-made, too: see {@link encodeQuoted} */
  constructor(
    readonly json: Json,
    readonly quoted?: Json,
  ) {}

  parse(): Value {
    return JSON.parse(textOf(this.json)) as Value;
  }
}

/** `Value`, in which any part may stand as ready-made JSON. */
export type Encodable<Value> =
  | Verbatim<Value>
  | (Value extends readonly (infer Item)[]
      ? Encodable<Item>[]
      : Value extends object
        ? { [Key in keyof Value]: Encodable<Value[Key]> }
        : Value);

/** Writes a value as JSON; parts that are ready-made, down to the items of a field's array, are taken as they stand. */
export function encodeJson(value: unknown): string {
  return textOf(encodeBody(value));
}

/** The same, as bytes where a field's ready-made JSON is bytes: a long page is copied, and neither decoded nor encoded again. */
export function encodeBody(value: unknown): Json {
  return encodePart(value, PLAIN);
}

/** A value's JSON as it stands within a JSON text, between the quotation marks: with `\"` for each `"`. */
export function encodeQuoted(value: unknown): Json {
  return encodePart(value, QUOTED);
}

/** How text and ready-made parts are written. */
interface Form {
  text(json: string): string;
  verbatim(part: Verbatim<unknown>): Json;
}

const PLAIN: Form = { text: (json) => json, verbatim: ({ json }) => json };
const QUOTED: Form = { text: quote, verbatim: ({ json, quoted }) => quoted ?? quote(textOf(json)) };

function quote(json: string): string {
  return JSON.stringify(json).slice(1, -1);
}

function encodePart(value: unknown, form: Form): Json {
  if (value instanceof Verbatim) return form.verbatim(value);
  if (Array.isArray(value) && value.some((item) => item instanceof Verbatim)) {
    return form.text(`[${value.map(encodeJson).join(",")}]`);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    return form.text(JSON.stringify(value));
  return encodeFields(value, form);
}

function encodeFields(value: object, form: Form): Json {
  const parts: Json[] = [];
  let text = "{";
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue;
    text += form.text(`${text === "{" ? "" : ","}${JSON.stringify(key)}:`);
    const json = encodePart(part, form);
    if (typeof json === "string") text += json;
    else {
      parts.push(text, json);
      text = "";
    }
  }
  return joined([...parts, `${text}}`]);
}

/** Parts of one JSON text, one after the other: bytes where any of them is. */
export function joined(parts: readonly Json[]): Json {
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}

/** Bytes that are ASCII are read faster under that name. */
export function textOf(json: Json): string {
  if (typeof json === "string") return json;
  return isAscii(json) ? json.toString("latin1") : json.toString();
}
