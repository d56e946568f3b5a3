/** Shortens the JSON Schemas of MCP tools, because every character uses up the limited context of each agent. */

export type Json = Record<string, unknown>;

/** Keywords whose values are plain data and contain no schemas. */
const DATA = new Set(["enum", "const", "required", "type"]);

/**
 * Keywords that are removed because the descriptions of the fields state the same in words. The service still enforces
 * them.
 */
const STATED_IN_DESCRIPTIONS = [
  "examples",
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "maxItems",
  "maxProperties",
];
const NOT_STRUCTURE = new Set([
  ...STATED_IN_DESCRIPTIONS,
  "description",
  "minimum",
  "maximum",
  "additionalProperties",
]);

/**
 * Returns the schema of an input field, reduced to its description, its bounds, and the names and types of the fields
 * inside it.
 */
export function describedField(schema: unknown): Json {
  const { description, minimum, maximum } = schema as Json;
  return { ...stripToStructure(schema), minimum, maximum, description };
}

/** Returns the schema with only its names, types and enumerations. */
export function stripToStructure(schema: unknown): Json {
  return strip(schema, true) as Json;
}

/**
 * Removes the keywords of `NOT_STRUCTURE`.
 * @param isSchema false for the object under `properties`: its keys are field names, not keywords
 */
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

/** Minimum length in characters of a subschema that is moved to `$defs`. A `$ref` to a shorter one saves nothing. */
const MIN_SHARED_LENGTH = 100;

/** Moves each large subschema that occurs more than once to `$defs`. Replaces its occurrences with references. */
export function shareRepeatedSchemas(schema: Json): Json {
  const counts = new Map<string, number>();
  count(schema, counts);
  const repeated = [...counts].filter(([text, times]) => times > 1 && text.length >= MIN_SHARED_LENGTH);
  // Only the largest subschema is moved here. The recursive call then counts the subschemas inside it again.
  const [largest] = repeated.sort(([a], [b]) => b.length - a.length);
  if (!largest) return schema;
  const { $defs = {}, ...rest } = schema as { $defs?: Json };
  const name = `d${Object.keys($defs).length + 1}`;
  const [text] = largest;
  const replaced = replace({ $defs, ...rest }, text, { $ref: `#/$defs/${name}` }) as { $defs: Json };
  return shareRepeatedSchemas({ ...replaced, $defs: { ...replaced.$defs, [name]: JSON.parse(text) } });
}

function count(value: unknown, counts: Map<string, number>): void {
  if (value === null || typeof value !== "object") return;
  if (isSchema(value)) {
    const text = JSON.stringify(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  for (const part of Object.values(value)) count(part, counts);
}

/** Returns whether an object in a tool definition is a schema. The only other objects are the maps under `properties`. */
function isSchema(value: object): boolean {
  return !Array.isArray(value) && (typeof (value as Json).type === "string" || "anyOf" in value);
}

function replace(value: unknown, text: string, by: Json): unknown {
  if (value === null || typeof value !== "object") return value;
  if (JSON.stringify(value) === text) return by;
  if (Array.isArray(value)) return value.map((item) => replace(item, text, by));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replace(part, text, by)]));
}
