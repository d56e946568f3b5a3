/** JSON Schemas made small: every character of a tool costs each agent context. */

export type Json = Record<string, unknown>;

/** Keywords whose values are data, not schemas. */
const DATA = new Set(["enum", "const", "required", "type"]);

/** What a description says in words, and the service holds a value to in any case. */
const SAID_IN_WORDS = ["examples", "format", "pattern", "minLength", "maxLength", "maxItems"];
const NOT_STRUCTURE = new Set([
  ...SAID_IN_WORDS,
  "description",
  "minimum",
  "maximum",
  "additionalProperties",
]);

/** A field that a model fills in: its description, and the names and types of what is inside. */
export function describedField(schema: unknown): Json {
  const { description, minimum, maximum } = schema as Json;
  return { ...namesAndTypes(schema), minimum, maximum, description };
}

/** A schema stripped to names, types and enumerations. */
export function namesAndTypes(schema: unknown): Json {
  return strip(schema, true) as Json;
}

/** @param isSchema false for the object under `properties`, whose keys are names */
function strip(schema: unknown, isSchema: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((item) => strip(item, true));
  if (schema === null || typeof schema !== "object") return schema;
  const kept = Object.entries(schema).filter(([key]) => !(isSchema && NOT_STRUCTURE.has(key)));
  return Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      isSchema && DATA.has(key) ? value : strip(value, !(isSchema && key === "properties")),
    ]),
  );
}

/** Shorter ones are cheaper where they stand than as a reference. */
const MIN_SHARED = 100;

/** The schema in which each larger object that occurs more than once stands once, under `$defs`. */
export function share(schema: Json): Json {
  const counts = new Map<string, number>();
  count(schema, counts);
  const repeated = [...counts].filter(([text, times]) => times > 1 && text.length >= MIN_SHARED);
  // The largest first: what is inside of it is then counted anew.
  const [largest] = repeated.sort(([a], [b]) => b.length - a.length);
  if (!largest) return schema;
  const { $defs = {}, ...rest } = schema as { $defs?: Json };
  const name = `d${Object.keys($defs).length + 1}`;
  const [text] = largest;
  const replaced = replace({ $defs, ...rest }, text, { $ref: `#/$defs/${name}` }) as { $defs: Json };
  return share({ ...replaced, $defs: { ...replaced.$defs, [name]: JSON.parse(text) } });
}

function count(value: unknown, counts: Map<string, number>): void {
  if (value === null || typeof value !== "object") return;
  if (isSchema(value)) {
    const text = JSON.stringify(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  for (const part of Object.values(value)) count(part, counts);
}

/** A reference is possible to a schema; of the objects in a tool only the maps of properties are none. */
function isSchema(value: object): boolean {
  return !Array.isArray(value) && (typeof (value as Json).type === "string" || "anyOf" in value);
}

function replace(value: unknown, text: string, by: Json): unknown {
  if (value === null || typeof value !== "object") return value;
  if (JSON.stringify(value) === text) return by;
  if (Array.isArray(value)) return value.map((item) => replace(item, text, by));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replace(part, text, by)]));
}
