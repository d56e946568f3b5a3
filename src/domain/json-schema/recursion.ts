import type { Reason } from "../../contract/errors.js";
import type { SchemaDocument, Subschema } from "./document.js";
import { isObject, type JsonObject, pointerStep } from "./values.js";

/**
 * The longest way from a schema through references and `allOf`, `anyOf`, `not` … that all look at the same value. It bounds
 * the depth of the stack: a payload nests 64 deep at most, and each of its levels can take so many calls.
 */
export const MAX_CHAIN = 100;

const LISTS = ["allOf", "anyOf", "oneOf"];
const SINGLES = ["not", "if", "then", "else"];
const MAPS = ["dependentSchemas", "dependencies"];

/**
 * Finds the schemas that lead back to themselves without going down into the value, such as `{"$ref": "#"}`: no validation
 * of them would ever end. For `$dynamicRef` every schema that has the anchor counts as one that it may lead to.
 */
export function findEndlessRecursion(document: SchemaDocument): Reason[] {
  const lengths = new Map<string, number>();
  const under = new Set<string>();
  const reasons: Reason[] = [];

  const longestFrom = (from: Subschema): number => {
    const known = lengths.get(from.pointer);
    if (known !== undefined) return known;
    under.add(from.pointer);
    let longest = 0;
    for (const { keyword, to } of edges(document, from)) {
      if (under.has(to.pointer)) {
        const message = "leads back to itself without going down into the value: validation would never end";
        reasons.push({ instancePath: from.pointer + pointerStep(keyword), keyword, message });
      } else longest = Math.max(longest, 1 + longestFrom(to));
    }
    under.delete(from.pointer);
    lengths.set(from.pointer, longest);
    return longest;
  };

  for (const subschema of document.subschemas.values()) {
    if (longestFrom(subschema) <= MAX_CHAIN || reasons.length > 0) continue;
    const message = `follows more than ${MAX_CHAIN} references and combinations for one value: shorten the chain`;
    return [{ instancePath: subschema.pointer, keyword: "$ref", message }];
  }
  return reasons;
}

/** The schemas that are applied to the same value, with the keyword that applies them. */
function* edges(document: SchemaDocument, from: Subschema): Iterable<{ keyword: string; to: Subschema }> {
  const { schema } = from;
  if (!isObject(schema)) return;
  const below = (keyword: string, ...steps: (string | number)[]) => {
    const to = document.subschemas.get(from.pointer + [keyword, ...steps].map(pointerStep).join(""));
    return to ? [{ keyword, to }] : [];
  };
  for (const keyword of LISTS) {
    const list = schema[keyword];
    if (Array.isArray(list)) for (const index of list.keys()) yield* below(keyword, index);
  }
  for (const keyword of SINGLES) yield* below(keyword);
  for (const keyword of MAPS) {
    for (const name of Object.keys((schema[keyword] as JsonObject | undefined) ?? {}))
      yield* below(keyword, name);
  }
  for (const keyword of ["$ref", "$dynamicRef"]) {
    const reference = schema[keyword];
    const target = typeof reference === "string" ? document.resolve(from, reference) : undefined;
    if (target === undefined) continue;
    yield { keyword, to: target.subschema };
    if (keyword === "$ref" || target.dynamic === undefined) continue;
    for (const resource of document.resources.values()) {
      const to = resource.dynamicAnchors.get(target.dynamic);
      if (to && to !== target.subschema) yield { keyword, to };
    }
  }
}
