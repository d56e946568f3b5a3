/** What the array keywords say (JSON Schema 2020-12 core 10.3.1 and 11.2, validation 6.4). */

import type { SchemaNode } from "./document.js";
import type { Formula } from "./formula.js";
import type { Meaning } from "./meaning.js";
import { evaluatedItems, type Items } from "./unevaluated.js";

const END = Number.POSITIVE_INFINITY;

export function arrayKeyword(meaning: Meaning, node: SchemaNode, keyword: string): Formula {
  const { formulas } = meaning;
  const schema = node.schema as Record<string, unknown>;
  const value = schema[keyword];
  switch (keyword) {
    case "minItems":
      return formulas.literal({ op: "minSize", size: value as number });
    case "maxItems":
      return formulas.literal({ op: "maxSize", size: value as number });
    case "uniqueItems":
      return value === true ? formulas.literal({ op: "unique", holds: true }) : formulas.true;
    case "prefixItems":
      return formulas.all(
        (value as unknown[]).map((_, index) =>
          formulas.everyItem(index, index + 1, meaning.child(node, keyword, index)),
        ),
      );
    case "items":
      return formulas.everyItem(prefixLength(schema), END, meaning.child(node, keyword));
    case "contains":
      return contains(meaning, node);
    default:
      return unevaluated(meaning, node);
  }
}

export function prefixLength(schema: Record<string, unknown>): number {
  return Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0;
}

function contains(meaning: Meaning, node: SchemaNode): Formula {
  const { formulas } = meaning;
  const { minContains, maxContains } = node.schema as Record<string, unknown>;
  const item = meaning.child(node, "contains");
  return formulas.all([
    formulas.atLeast(typeof minContains === "number" ? minContains : 1, item),
    typeof maxContains === "number" ? formulas.atMost(maxContains, item) : formulas.true,
  ]);
}

/** In each case of what the other keywords have evaluated, the items after that fit. */
function unevaluated(meaning: Meaning, node: SchemaNode): Formula {
  const { formulas } = meaning;
  const cases = evaluatedItems(meaning, node);
  if (!cases) return meaning.opaque(node, "unevaluatedItems");
  const item = meaning.child(node, "unevaluatedItems");
  return formulas.any(
    cases.map(({ when, evaluated }) => formulas.all([...when, remaining(meaning, evaluated, item)])),
  );
}

/**
 * Items not evaluated fit. The specification counts the items that `contains` finds as evaluated, a validator in
 * wide use counts all items of the array. What is accepted has to hold either way.
 */
function remaining(meaning: Meaning, { count, found }: Items, item: Formula): Formula {
  const { formulas } = meaning;
  if (found.kind === "false") return formulas.everyItem(count, END, item);
  const all = formulas.literal({ op: "opaque", key: "contains evaluates all items", holds: true });
  return formulas.any([all, formulas.everyItem(count, END, formulas.any([found, item]))]);
}
