/**
 * Shortens the JSON Schemas of MCP tools, because every character uses up the limited context of each agent,
 * and reduces those of arguments to what all hosts accept (docs/specification/agent-operations.md#input).
 */

export type Json = Record<string, unknown>;

/** Keywords whose values are plain data and contain no schemas. */
const DATA = new Set(["enum", "const", "required", "type"]);

/**
 * Keywords that are removed because the descriptions of the fields state the same in words. The service still
 * enforces them.
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
 * Returns the schema of an argument: its description, its bounds, and the names and types of the fields
 * inside it. Every schema in it has a single type, because Gemini rejects all tools if a `type` is an array.
 * Gemini and OpenAI's strict mode reject objects without properties. Such an object becomes JSON text, and an
 * optional null is left out.
 */
export function argumentSchema(schema: Json, description = schema.description): Json {
  const { minimum, maximum } = schema;
  return { ...withSingleTypes(stripToStructure(schema)), minimum, maximum, description };
}

function withSingleTypes(schema: Json): Json {
  const { type, properties, items, ...rest } = schema as Json & { properties?: Record<string, Json> };
  if (isOpenObject(schema)) return { type: "string" };
  return {
    type: Array.isArray(type) ? type.find((each) => each !== "null") : type,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, withSingleTypes(field)]),
      ),
    }),
    ...(items !== undefined && { items: withSingleTypes(items as Json) }),
    ...rest,
  };
}

/** Returns whether the value may be any JSON object, such as a JSON Schema. */
export function isOpenObject({ type, properties }: Json): boolean {
  return type === "object" && properties === undefined;
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
