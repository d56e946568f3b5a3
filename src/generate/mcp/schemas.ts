/**
 * Shortens the JSON Schemas of MCP tools, because every character uses up part of each agent's context. Also
 * reduces argument schemas to features that all hosts accept (docs/specification/agent-operations.md#input).
 */

export type Json = Record<string, unknown>;

/** Keywords whose values are plain data without schemas. */
const DATA = new Set(["enum", "const", "required", "type"]);

/**
 * Keywords that are removed because the fields' descriptions say the same in words. The service still
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
 * Returns an argument's schema: its description, its bounds, and the names and types of inner fields. Each
 * `type` is single, because Gemini rejects all tools if any `type` is an array; an optional null is left out.
 * Gemini and OpenAI's strict mode also reject objects without properties, so such an object becomes a string
 * of JSON text.
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

function isOpenObject({ type, properties }: Json): boolean {
  return type === "object" && properties === undefined;
}

function stripToStructure(schema: unknown): Json {
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
