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

  constructor(readonly json: Json) {}

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
  return textOf(encodePart(value));
}

/** The same, as bytes where a field's ready-made JSON is bytes: a long page is copied, and neither decoded nor encoded again. */
export function encodeBody(value: unknown): Json {
  return encodePart(value);
}

function encodePart(value: unknown): Json {
  if (value instanceof Verbatim) return value.json;
  if (Array.isArray(value) && value.some((item) => item instanceof Verbatim)) {
    return `[${value.map(encodeJson).join(",")}]`;
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) return JSON.stringify(value);
  return encodeFields(value);
}

function encodeFields(value: object): Json {
  const bytes: Buffer[] = [];
  let text = "{";
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue;
    text += `${text === "{" ? "" : ","}${JSON.stringify(key)}:`;
    const json = encodePart(part);
    if (typeof json === "string") text += json;
    else {
      bytes.push(Buffer.from(text), json);
      text = "";
    }
  }
  text += "}";
  return bytes.length === 0 ? text : Buffer.concat([...bytes, Buffer.from(text)]);
}

/** Bytes that are ASCII are read faster under that name. */
export function textOf(json: Json): string {
  if (typeof json === "string") return json;
  return isAscii(json) ? json.toString("latin1") : json.toString();
}
