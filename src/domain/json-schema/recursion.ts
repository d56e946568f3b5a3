import type { Reason } from "../../contract/errors.js";
import type { SchemaDocument, Subschema } from "./document.js";
import { KEYWORDS } from "./keywords.js";
import { isObject, type JsonObject, pointerStep } from "./values.js";

/**
 * Maximum length of a chain of references and keywords, such as `allOf` and `not`, that apply to the same
 * value. Each of a payload's 64 levels can need such a chain, so the limit bounds the call stack.
 */
const MAX_CHAIN = 100;

const LISTS = ["allOf", "anyOf", "oneOf"];
const SINGLES = ["not", "if", "then", "else"];
const MAPS = ["dependentSchemas", "dependencies"];

/** Validation applies the schemas under these keywords only if a reference points to them. */
const DEFINITIONS: ReadonlySet<string> = new Set(["$defs", "definitions", "contentSchema"]);

/**
 * Finds schemas that refer back to themselves for the same value, such as `{"$ref": "#"}`. If validation
 * could reach such a schema, it would never end. A `$dynamicRef` counts as a reference to every schema with
 * the anchor.
 */
export function findInfiniteRecursion(document: SchemaDocument): Reason[] {
  const lengths = new Map<string, number>();
  const under = new Set<string>();
  const reached = reachable(document);
  const reasons: Reason[] = [];

  const longestFrom = (from: Subschema): number => {
    const known = lengths.get(from.pointer);
    if (known !== undefined) return known;
    under.add(from.pointer);
    let longest = 0;
    for (const { keyword, to } of edges(document, from)) {
      if (under.has(to.pointer)) {
        if (!reached.has(from)) continue;
        const message =
          "refers back to itself for the same value, so validation would never end; remove the cycle";
        reasons.push({ instancePath: from.pointer + pointerStep(keyword), keyword, message });
      } else longest = Math.max(longest, 1 + longestFrom(to));
    }
    under.delete(from.pointer);
    lengths.set(from.pointer, longest);
    return longest;
  };

  for (const subschema of document.subschemas.values()) {
    if (longestFrom(subschema) <= MAX_CHAIN || reasons.length > 0) continue;
    const message = `applies more than ${MAX_CHAIN} nested references and subschemas to one value; shorten the chain`;
    return [{ instancePath: subschema.pointer, keyword: "$ref", message }];
  }
  return reasons;
}

function reachable(document: SchemaDocument): Set<Subschema> {
  const root = document.subschemas.get("");
  const found = new Set(root ? [root] : []);
  const add = (pointer: string) => {
    const subschema = document.subschemas.get(pointer);
    if (subschema) found.add(subschema);
  };
  for (const from of found) {
    if (!isObject(from.schema)) continue;
    for (const { to } of references(document, from)) found.add(to);
    for (const [keyword, value] of Object.entries(from.schema)) {
      const holds = KEYWORDS.get(keyword);
      if (holds === undefined || holds === "data" || DEFINITIONS.has(keyword)) continue;
      const pointer = from.pointer + pointerStep(keyword);
      if (holds === "schema") add(pointer);
      else for (const key of Object.keys(value as object)) add(pointer + pointerStep(key));
    }
  }
  return found;
}

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
  yield* references(document, from);
}

function* references(
  document: SchemaDocument,
  from: Subschema,
): Iterable<{ keyword: string; to: Subschema }> {
  const { schema } = from;
  if (!isObject(schema)) return;
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
