/** The semantics of the array keywords (JSON Schema 2020-12 core 10.3.1 and 11.2, validation 6.4). */

import { prefixLength, type SchemaNode } from "../schema/document.js";
import type { Formula } from "./formula.js";
import type { SchemaFormulas } from "./schema-formulas.js";
import { evaluatedItems, type Items } from "./unevaluated.js";

const END = Number.POSITIVE_INFINITY;

export function arrayKeyword(parts: SchemaFormulas, node: SchemaNode, keyword: string): Formula {
  const { formulas } = parts;
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
          formulas.everyItem(index, index + 1, parts.child(node, keyword, index)),
        ),
      );
    case "items":
      return formulas.everyItem(prefixLength(schema), END, parts.child(node, keyword));
    case "contains":
      return contains(parts, node);
    default:
      return unevaluated(parts, node);
  }
}

function contains(parts: SchemaFormulas, node: SchemaNode): Formula {
  const { formulas } = parts;
  const { minContains, maxContains } = node.schema as Record<string, unknown>;
  const item = parts.child(node, "contains");
  return formulas.all([
    formulas.atLeast(typeof minContains === "number" ? minContains : 1, item),
    typeof maxContains === "number" ? formulas.atMost(maxContains, item) : formulas.true,
  ]);
}

/** For each case of evaluated items, the remaining items satisfy the subschema. */
function unevaluated(parts: SchemaFormulas, node: SchemaNode): Formula {
  const { formulas } = parts;
  const cases = evaluatedItems(parts, node);
  if (!cases) return parts.opaque(node, "unevaluatedItems");
  const item = parts.child(node, "unevaluatedItems");
  return formulas.any(
    cases.map(({ when, evaluated }) => formulas.all([...when, remaining(parts, evaluated, item)])),
  );
}

/**
 * Items that are not evaluated satisfy the subschema. By the specification `contains` evaluates the items that it finds;
 * a widely used validator takes it to evaluate all items. A change is compatible only if it is under both readings.
 */
function remaining(parts: SchemaFormulas, { count, found }: Items, item: Formula): Formula {
  const { formulas } = parts;
  if (found.kind === "false") return formulas.everyItem(count, END, item);
  const all = formulas.literal({ op: "opaque", key: "contains evaluates all items", holds: true });
  return formulas.any([all, formulas.everyItem(count, END, formulas.any([found, item]))]);
}
