/** The fields of `--json=id,uri`. */
import { Failure } from "../../failure.js";
import { isJsonObject, type JsonObject } from "../../json-object.js";
import { oneLine } from "../safe.js";

/**
 * Sentence in the error after a command such as `send` succeeded, but its result could not be printed. It
 * tells the user not to repeat the command.
 */
export const HAS_RUN = "The command itself has succeeded.";

export type PossibleFields = { operation: string } | readonly string[] | "any";

export type FieldSelection = (value: unknown, possible: PossibleFields, hasRun: boolean) => unknown;

export async function loadFields(names: readonly string[]): Promise<FieldSelection> {
  const { resultSchemas } = await import("../../../daemon/local/offline.js");
  const schemas = await resultSchemas();
  return (value, possible, hasRun) => {
    const items = itemsOf(value);
    const known = new Set(items.flatMap((item) => Object.keys(item)));
    if (names.some((name) => !known.has(name))) {
      for (const name of fieldsOf(possible, schemas) ?? names) known.add(name);
      const unknown = names.find((name) => !known.has(name));
      // Accept any field if the list is empty and undocumented, because its items' fields are unknown.
      if (unknown !== undefined && (known.size > 0 || items.length > 0))
        throw new Failure(
          "USAGE",
          `the result has no field ${oneLine(JSON.stringify(unknown))}; its fields are ${[...known].sort().join(", ")}${hasRun ? `. ${HAS_RUN}` : ""}`,
        );
    }
    return mapItems(value, (item) =>
      Object.fromEntries(names.filter((name) => Object.hasOwn(item, name)).map((name) => [name, item[name]])),
    );
  };
}

/** Returns undefined if any field is possible. */
function fieldsOf(
  possible: PossibleFields,
  schemas: ReadonlyMap<string, unknown>,
): readonly string[] | undefined {
  if (possible === "any") return undefined;
  return "operation" in possible ? documentedFields(schemas.get(possible.operation)) : possible;
}

/**
 * Returns the fields of results or page items. The results alone do not show all fields, because an optional
 * field may be absent from every item.
 */
function documentedFields(schema: unknown): string[] | undefined {
  const objects = objectsIn(schema).flatMap((properties) =>
    Object.hasOwn(properties, "next_cursor") ? Object.values(properties).flatMap(objectsIn) : [properties],
  );
  return objects.length === 0 ? undefined : objects.flatMap(Object.keys);
}

/** Returns the properties of each object that a schema allows, including objects in lists. */
function objectsIn(schema: unknown): JsonObject[] {
  if (!isJsonObject(schema)) return [];
  const { anyOf, items, properties } = schema;
  if (Array.isArray(anyOf)) return anyOf.flatMap(objectsIn);
  if (items !== undefined) return objectsIn(items);
  return isJsonObject(properties) ? [properties] : [];
}

function itemsOf(value: unknown): JsonObject[] {
  const items: JsonObject[] = [];
  mapItems(value, (item) => {
    items.push(item);
    return item;
  });
  return items;
}

function mapItems(value: unknown, map: (item: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((item) => mapItems(item, map));
  if (!isJsonObject(value)) return value;
  if (isPage(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, Array.isArray(part) ? mapItems(part, map) : part]),
    );
  const { kind } = value;
  // A line of `inbox --follow` has two properties: `kind`, and the item in a property with the kind's name.
  // An approval has a `kind` too, but more than two properties.
  const isLine = typeof kind === "string" && Object.keys(value).length === 2;
  if (isLine && isJsonObject(value[kind])) return { kind, [kind]: map(value[kind]) };
  return map(value);
}

function isPage(value: JsonObject): boolean {
  const names = Object.keys(value).filter((name) => name !== "next_cursor");
  return names.length > 0 && names.every((name) => Array.isArray(value[name]));
}
