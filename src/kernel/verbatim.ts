/**
 * JSON that is already text. Stored wires are kept as the very JSON that a response carries, so a page of them is joined,
 * never parsed and written again (ready-made JSON costs a third of building it per row).
 */
export class Verbatim<Value> {
  /** Never set: it only carries the type of the value that `json` spells. */
  declare readonly value: Value;

  constructor(readonly json: string) {}

  parse(): Value {
    return JSON.parse(this.json) as Value;
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
  if (value instanceof Verbatim) return value.json;
  if (Array.isArray(value) && value.some((item) => item instanceof Verbatim)) {
    return `[${value.map(encodeJson).join(",")}]`;
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) return JSON.stringify(value);
  const fields: string[] = [];
  for (const [key, part] of Object.entries(value)) {
    if (part !== undefined) fields.push(`${JSON.stringify(key)}:${encodeJson(part)}`);
  }
  return `{${fields.join(",")}}`;
}
