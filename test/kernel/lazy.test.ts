import { expect, it } from "vitest";
import { lazy } from "../../src/kernel/lazy.js";

it("a lazy value is loaded once for concurrent and later calls, and again after a failure", async () => {
  let loads = 0;
  const load = lazy(async () => {
    if (++loads === 1) throw new Error("unreachable");
    return loads;
  });
  const failed = [load(), load()];
  for (const each of failed) await expect(each).rejects.toThrow("unreachable");
  expect(await Promise.all([load(), load()])).toEqual([2, 2]);
  expect(await load()).toBe(2);
});
