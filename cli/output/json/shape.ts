export type JsonObject = Record<string, unknown>;

/** Returns whether an object only consists of lists and the cursor of the next page. */
export function isPage(value: JsonObject): boolean {
  const names = Object.keys(value).filter((name) => name !== "next_cursor");
  return names.length > 0 && names.every((name) => Array.isArray(value[name]));
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
