/** A JSON object, as `JSON.parse` makes it: its keys are its own, `__proto__` included. */
export type JsonObject = { [key: string]: unknown };

/** A schema is an object or a boolean (JSON Schema core, 4.3). */
export type JsonSchema = JsonObject | boolean;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The names of the JSON types; `integer` is a number without a fraction, however it was written. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/**
 * A text that two values share exactly when they are equal as JSON (core, 4.2.2): members in any order, 1.0 as 1,
 * -0 as 0. Lets `uniqueItems`, `enum` and `const` compare by hash, so that n items cost n and not n squared.
 */
export function canonical(value: unknown): string {
  // 1e400 is read as Infinity, which JSON.stringify would write as null.
  if (typeof value === "number") return String(value === 0 ? 0 : value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.keys(value).sort();
  const object = value as JsonObject;
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(object[key])}`).join(",")}}`;
}

/** A number of things as a message says it: `1 item`, `2 items`. */
export function count(number: number, thing: string): string {
  return number === 1
    ? `1 ${thing}`
    : `${number} ${thing.endsWith("y") ? `${thing.slice(0, -1)}ie` : thing}s`;
}

/** One step of a JSON Pointer (RFC 6901, section 3). */
export function pointerStep(key: string | number): string {
  return typeof key === "number" ? `/${key}` : `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

const SHOWN = 200;

/** A value as a message shows it: JSON, cut short so that a message stays readable. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}

const LISTED = 20;

/** Several values as a message lists them, at most twenty. */
export function showList(values: readonly unknown[]): string {
  const shown = values.slice(0, LISTED).map(show).join(", ");
  return values.length <= LISTED ? shown : `${shown} and ${values.length - LISTED} more`;
}

/** Whether arrays and objects nest deeper than `limit`. Does not recurse, so that no depth can break it. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      for (const child of Object.values(item))
        if (typeof child === "object" && child !== null) next.push(child);
    }
    level = next;
  }
  return false;
}
