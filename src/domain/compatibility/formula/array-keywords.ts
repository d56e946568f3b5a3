/**
 * Translates array keywords to formulas (JSON Schema 2020-12 core, sections 10.3.1 and 11.2; validation,
 * section 6.4).
 */

import { prefixLength, type SchemaNode } from "../schema/document.js";
import type { Formula } from "./formula.js";
import type { SchemaFormulas } from "./schema-formulas.js";
import { type EvaluatedItems, evaluatedItems } from "./unevaluated.js";

const END = Number.POSITIVE_INFINITY;

export function arrayKeyword(builder: SchemaFormulas, node: SchemaNode, keyword: string): Formula {
  const { formulas } = builder;
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
          formulas.everyItem(index, index + 1, builder.child(node, keyword, index)),
        ),
      );
    case "items":
      return formulas.everyItem(prefixLength(schema), END, builder.child(node, keyword));
    case "contains":
      return contains(builder, node);
    default:
      return unevaluated(builder, node);
  }
}

function contains(builder: SchemaFormulas, node: SchemaNode): Formula {
  const { formulas } = builder;
  const { minContains, maxContains } = node.schema as Record<string, unknown>;
  const item = builder.child(node, "contains");
  return formulas.all([
    formulas.atLeast(typeof minContains === "number" ? minContains : 1, item),
    typeof maxContains === "number" ? formulas.atMost(maxContains, item) : formulas.true,
  ]);
}

/**
 * Returns the formula of `unevaluatedItems`. The keyword applies to different items of different values, so
 * the formula combines several cases.
 */
function unevaluated(builder: SchemaFormulas, node: SchemaNode): Formula {
  const { formulas } = builder;
  const cases = evaluatedItems(builder, node);
  if (!cases) return builder.opaque(node, "unevaluatedItems");
  const item = builder.child(node, "unevaluatedItems");
  return formulas.any(
    cases.map(({ when, evaluated }) => formulas.all([...when, remaining(builder, evaluated, item)])),
  );
}

/**
 * Returns the formula "every unevaluated item matches the subschema of `unevaluatedItems`". Validators
 * disagree on whether `contains` evaluates only the matching items or all items, so the formula covers both
 * interpretations.
 */
function remaining(builder: SchemaFormulas, { count, found }: EvaluatedItems, item: Formula): Formula {
  const { formulas } = builder;
  if (found.kind === "false") return formulas.everyItem(count, END, item);
  const all = formulas.literal({ op: "opaque", key: "contains evaluates all items", holds: true });
  return formulas.any([all, formulas.everyItem(count, END, formulas.any([found, item]))]);
}
