import type { Node, Rule, Run, Seen } from "../evaluation.js";
import { canonical, count } from "../values.js";
import { assertion, type RuleMaker, type Site } from "./site.js";

/** Core, 10.3.1 and 11.2; validation, 6.4. */
export const ARRAY_RULES: Record<string, RuleMaker> = {
  minItems: (limit: number) =>
    assertion(
      "minItems",
      (value) => !Array.isArray(value) || value.length >= limit,
      (value) => `must have at least ${count(limit, "item")}, not ${(value as unknown[]).length}`,
    ),
  maxItems: (limit: number) =>
    assertion(
      "maxItems",
      (value) => !Array.isArray(value) || value.length <= limit,
      (value) => `must have at most ${count(limit, "item")}, not ${(value as unknown[]).length}`,
    ),
  uniqueItems: (unique: boolean) =>
    unique
      ? assertion(
          "uniqueItems",
          (value) => !Array.isArray(value) || firstDuplicate(value) === undefined,
          (value) =>
            `must not have two equal items, as those at ${firstDuplicate(value as unknown[])?.join(" and ")}`,
        )
      : undefined,
  prefixItems: (schemas: unknown[], site) => {
    const nodes = schemas.map((_schema, index) => site.child("prefixItems", index));
    return itemsRule((index) => nodes[index], 0, nodes.length);
  },
  items: (_schema: unknown, site) => {
    const node = site.child("items");
    return itemsRule(() => node, prefixLength(site), Number.POSITIVE_INFINITY);
  },
  contains: (_schema: unknown, site) => containsRule(site),
  unevaluatedItems: (schema: unknown, site) =>
    unevaluatedItems(schema === false, site.child("unevaluatedItems")),
};

function firstDuplicate(items: unknown[]): [number, number] | undefined {
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const key = canonical(item);
    const before = seen.get(key);
    if (before !== undefined) return [before, index];
    seen.set(key, index);
  }
  return undefined;
}

function prefixLength(site: Site): number {
  const { prefixItems } = site.schema;
  return Array.isArray(prefixItems) ? prefixItems.length : 0;
}

/** `prefixItems` and `items`: the items from `start` to before `end`, each by the schema of its index. */
function itemsRule(nodeAt: (index: number) => Node | undefined, start: number, end: number): Rule {
  return {
    accepts(run, value, seen) {
      if (!Array.isArray(value)) return true;
      const stop = Math.min(value.length, end);
      for (let i = start; i < stop; i++) if (!nodeAt(i)?.accepts(run, value[i])) return false;
      if (seen) seen.items = Math.max(seen.items, stop);
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
 * Each array is counted from zero. (Ajv 8.20 declares the verdict of `contains` with `var` inside the loop that calls
 * it and sets it only inside the loop over the items: an empty array after a matching one inherits its verdict.)
 */
function containsRule(site: Site): Rule {
  const node = site.child("contains");
  const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = site.schema as Record<
    string,
    number | undefined
  >;
  const countMatches = (run: Run, items: unknown[], seen: Seen | undefined): number => {
    let matches = 0;
    for (const [index, item] of items.entries()) {
      if (seen === undefined && maxContains === Number.POSITIVE_INFINITY && matches >= minContains) break;
      if (!node.accepts(run, item)) continue;
      matches++;
      seen?.contained.add(index);
    }
    return matches;
  };
  return {
    accepts(run, value, seen) {
      if (!Array.isArray(value)) return true;
      const matches = countMatches(run, value, seen);
      return matches >= minContains && matches <= maxContains;
    },
    explain(run, value, path) {
      const matches = countMatches(run, value as unknown[], undefined);
      const keyword = matches > maxContains ? "maxContains" : minContains === 1 ? "contains" : "minContains";
      const limit =
        matches > maxContains
          ? `at most ${count(maxContains, "item")}`
          : `at least ${count(minContains, "item")}`;
      run.report(path, keyword, `must contain ${limit} that match the schema of "contains", not ${matches}`);
    },
  };
}

function unevaluatedItems(none: boolean, node: Node): Rule {
  const isSeen = (index: number, seen: Seen | undefined) => seen?.contained.has(index) ?? false;
  return {
    accepts(run, value, seen) {
      if (!Array.isArray(value)) return true;
      for (let i = seen?.items ?? 0; i < value.length; i++) {
        if (!isSeen(i, seen) && !node.accepts(run, value[i])) return false;
      }
      if (seen) seen.items = value.length;
      return true;
    },
    explain(run, value, path, seen) {
      const items = value as unknown[];
      for (let i = seen?.items ?? 0; i < items.length; i++) {
        if (isSeen(i, seen) || node.accepts(run, items[i])) continue;
        if (none)
          run.report(`${path}/${i}`, "unevaluatedItems", "must not be there: no schema allows an item here");
        else node.explain(run, items[i], `${path}/${i}`);
      }
    },
  };
}
