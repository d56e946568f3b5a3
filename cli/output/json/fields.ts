/** The fields of `--json=id,uri`. */
import { Failure } from "../../failure.js";
import { oneLine } from "../safe.js";
import { documentedFields, isObject, type JsonObject } from "./documented-fields.js";

/** Says that a command such as `send` must not be repeated, although its result was not printed. */
export const HAS_RUN = "The command itself has succeeded.";

/** The fields that a result can have besides those that it has: of an operation's results, these, or any. */
export type PossibleFields = { operation: string } | readonly string[] | "any";

/** Returns a value with only the chosen fields. */
export type FieldSelection = (value: unknown, possible: PossibleFields, hasRun: boolean) => unknown;

/** Loads the API document, and returns the selection of these fields. */
export async function loadFields(names: readonly string[]): Promise<FieldSelection> {
  const { apiDocument } = await import("../../../daemon/local/api-document.js");
  const document = apiDocument();
  return (value, possible, hasRun) => {
    const items = itemsOf(value);
    const known = new Set(items.flatMap((item) => Object.keys(item)));
    if (names.some((name) => !known.has(name))) {
      for (const name of fieldsOf(possible, document) ?? names) known.add(name);
      const unknown = names.find((name) => !known.has(name));
      // The items of an empty list that is not in the API document are unknown.
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

/** Undefined stands for any field. */
function fieldsOf(possible: PossibleFields, document: JsonObject): Iterable<string> | undefined {
  if (possible === "any") return undefined;
  return "operation" in possible ? documentedFields(possible.operation, document) : possible;
}

function itemsOf(value: unknown): JsonObject[] {
  const items: JsonObject[] = [];
  mapItems(value, (item) => {
    items.push(item);
    return item;
  });
  return items;
}

/** Maps the items of a page or array, so that a page keeps its `next_cursor`. */
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

/** Returns whether an object only consists of lists and the cursor of the next page. */
function isPage(value: JsonObject): boolean {
  const names = Object.keys(value).filter((name) => name !== "next_cursor");
  return names.length > 0 && names.every((name) => Array.isArray(value[name]));
}
