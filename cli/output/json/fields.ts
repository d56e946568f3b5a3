import { Failure } from "../../failure.js";
import { oneLine } from "../safe.js";
import { documentedFields, fieldsOfResults } from "./documented-fields.js";
import { isObject, isPage, type JsonObject } from "./shape.js";

/** Says that a command such as `send` must not be repeated, although its result was not printed. */
export const HAS_RUN = "The command itself has succeeded.";

/** Which fields the lines of a stream can have: those of the results of an API operation, these, or any. */
export type LineFields = { operation: string } | readonly string[] | "any";

/**
 * Returns a value with only the chosen fields.
 * @param lines what other lines can have, if the value is a line of a stream
 */
export type FieldSelection = (value: unknown, lines?: LineFields) => unknown;

export async function loadFields(names: readonly string[]): Promise<FieldSelection> {
  const { apiDocument } = await import("../../../daemon/local/api-document.js");
  const document = apiDocument();
  return (value, lines) => selectFields(value, names, document, lines);
}

/**
 * Selects the fields of a value, or of the items of a page or array, so that a page keeps its `next_cursor`.
 * Throws `USAGE` if no item has a field, and none may have it by the API document or `lines`.
 */
function selectFields(
  value: unknown,
  names: readonly string[],
  document: JsonObject,
  lines: LineFields | undefined,
): unknown {
  const items = itemsOf(value);
  const known = new Set(items.flatMap((item) => Object.keys(item)));
  if (names.some((name) => !known.has(name))) {
    const possible =
      lines === undefined ? documentedFields(value, items, document) : fieldsOfLines(lines, document);
    for (const name of possible ?? names) known.add(name);
    const unknown = names.find((name) => !known.has(name));
    // The items of an empty list that is not in the API document are unknown.
    if (unknown !== undefined && (known.size > 0 || items.length > 0))
      throw new Failure(
        "USAGE",
        `the result has no field ${oneLine(JSON.stringify(unknown))}; its fields are ${[...known].sort().join(", ")}${lines === undefined ? `. ${HAS_RUN}` : ""}`,
      );
  }
  return mapItems(value, (item) =>
    Object.fromEntries(names.filter((name) => Object.hasOwn(item, name)).map((name) => [name, item[name]])),
  );
}

/** Undefined stands for any field. */
function fieldsOfLines(lines: LineFields, document: JsonObject): Iterable<string> | undefined {
  if (lines === "any") return undefined;
  return "operation" in lines ? fieldsOfResults(lines.operation, document) : lines;
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
  if (!isObject(value)) return value;
  if (isPage(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, Array.isArray(part) ? mapItems(part, map) : part]),
    );
  const { kind } = value;
  // A line of `inbox --follow` has only the kind and the item under this name. An approval has more.
  const isLine = typeof kind === "string" && Object.keys(value).length === 2;
  if (isLine && isObject(value[kind])) return { kind, [kind]: map(value[kind]) };
  return map(value);
}
