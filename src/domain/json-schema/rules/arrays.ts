import type { EvaluatedParts, Rule, SchemaNode, ValidationRun } from "../evaluation.js";
import { canonicalText, pluralize } from "../values.js";
import { assertion, type RuleContext, type RuleFactory } from "./rule-context.js";

/** Rules for array keywords (JSON Schema 2020-12 core, sections 10.3.1 and 11.2; validation, section 6.4). */
export const ARRAY_RULES: Record<string, RuleFactory> = {
  minItems: (limit: number) =>
    assertion(
      "minItems",
      (value) => !Array.isArray(value) || value.length >= limit,
      (value) => `must have at least ${pluralize(limit, "item")}, not ${(value as unknown[]).length}`,
    ),
  maxItems: (limit: number) =>
    assertion(
      "maxItems",
      (value) => !Array.isArray(value) || value.length <= limit,
      (value) => `must have at most ${pluralize(limit, "item")}, not ${(value as unknown[]).length}`,
    ),
  uniqueItems: (unique: boolean) =>
    unique
      ? assertion(
          "uniqueItems",
          (value) => !Array.isArray(value) || firstDuplicate(value) === undefined,
          (value) =>
            `must not have equal items: those at index ${firstDuplicate(value as unknown[])?.join(" and ")} are equal`,
        )
      : undefined,
  prefixItems: (schemas: unknown[], context) => {
    const nodes = schemas.map((_schema, index) => context.child("prefixItems", index));
    return itemsRule((index) => nodes[index], 0, nodes.length);
  },
  items: (_schema: unknown, context) => {
    const node = context.child("items");
    return itemsRule(() => node, prefixLength(context), Number.POSITIVE_INFINITY);
  },
  contains: (_schema: unknown, context) => containsRule(context),
  unevaluatedItems: (schema: unknown, context) =>
    unevaluatedItems(schema === false, context.child("unevaluatedItems")),
};

function firstDuplicate(items: unknown[]): [number, number] | undefined {
  const indexes = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const key = canonicalText(item);
    const before = indexes.get(key);
    if (before !== undefined) return [before, index];
    indexes.set(key, index);
  }
  return undefined;
}

function prefixLength(context: RuleContext): number {
  const { prefixItems } = context.schema;
  return Array.isArray(prefixItems) ? prefixItems.length : 0;
}

/**
 * Returns the rule of `prefixItems` or `items`. Items from index `start` to `end - 1` must match the schema
 * that `nodeAt` returns for their index.
 */
function itemsRule(nodeAt: (index: number) => SchemaNode | undefined, start: number, end: number): Rule {
  return {
    accepts(run, value, evaluated) {
      if (!Array.isArray(value)) return true;
      const stop = Math.min(value.length, end);
      for (let i = start; i < stop; i++) if (!nodeAt(i)?.accepts(run, value[i])) return false;
      if (evaluated) evaluated.items = Math.max(evaluated.items, stop);
      return true;
    },
    explain(run, value, path) {
      const items = value as unknown[];
      const stop = Math.min(items.length, end);
      for (let i = start; i < stop; i++) {
        const node = nodeAt(i);
        if (node && !node.accepts(run, items[i])) node.explain(run, items[i], `${path}/${i}`);
      }
    },
  };
}

/**
 * Returns the rule of `contains`, which counts each array's matching items from zero. Ajv 8.20 has a bug
 * here: if it validates several arrays in a loop, an empty array gets the previous array's verdict.
 */
function containsRule(context: RuleContext): Rule {
  const node = context.child("contains");
  const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = context.schema as Record<
    string,
    number | undefined
  >;
  const countMatches = (
    run: ValidationRun,
    items: unknown[],
    evaluated: EvaluatedParts | undefined,
  ): number => {
    let matches = 0;
    for (const [index, item] of items.entries()) {
      if (evaluated === undefined && maxContains === Number.POSITIVE_INFINITY && matches >= minContains)
        break;
      if (!node.accepts(run, item)) continue;
      matches++;
      evaluated?.contained.add(index);
    }
    return matches;
  };
  return {
    accepts(run, value, evaluated) {
      if (!Array.isArray(value)) return true;
      const matches = countMatches(run, value, evaluated);
      return matches >= minContains && matches <= maxContains;
    },
    explain(run, value, path) {
      const matches = countMatches(run, value as unknown[], undefined);
      const keyword = matches > maxContains ? "maxContains" : minContains === 1 ? "contains" : "minContains";
      const limit =
        matches > maxContains
          ? `at most ${pluralize(maxContains, "item")}`
          : `at least ${pluralize(minContains, "item")}`;
      run.report(path, keyword, `must contain ${limit} that match the schema of "contains", not ${matches}`);
    },
  };
}

function unevaluatedItems(forbidsAll: boolean, node: SchemaNode): Rule {
  const isContained = (index: number, evaluated: EvaluatedParts | undefined) =>
    evaluated?.contained.has(index) ?? false;
  return {
    accepts(run, value, evaluated) {
      if (!Array.isArray(value)) return true;
      for (let i = evaluated?.items ?? 0; i < value.length; i++) {
        if (!isContained(i, evaluated) && !node.accepts(run, value[i])) return false;
      }
      if (evaluated) evaluated.items = value.length;
      return true;
    },
    explain(run, value, path, evaluated) {
      const items = value as unknown[];
      for (let i = evaluated?.items ?? 0; i < items.length; i++) {
        if (isContained(i, evaluated) || node.accepts(run, items[i])) continue;
        if (forbidsAll)
          run.report(
            `${path}/${i}`,
            "unevaluatedItems",
            "must not be present: no schema allows an item here",
          );
        else node.explain(run, items[i], `${path}/${i}`);
      }
    },
  };
}
