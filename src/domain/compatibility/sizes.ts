/** Bounds of a length of a string, or of a number of items or properties. */

import type { Fact } from "./terms.js";

export function sizesOf(facts: readonly Fact[]): { min: number; max: number } {
  const sizes = { min: 0, max: Number.POSITIVE_INFINITY };
  for (const { condition, holds } of facts) {
    if (condition.rule !== "keyword" || !/^(min|max)[LIP]/.test(condition.name)) continue;
    const size = condition.value as number;
    const isMin = condition.name.startsWith("min");
    if (isMin === holds) sizes.min = Math.max(sizes.min, isMin ? size : size + 1);
    else sizes.max = Math.min(sizes.max, isMin ? size - 1 : size);
  }
  return sizes;
}
