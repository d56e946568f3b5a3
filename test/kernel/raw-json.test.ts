import fc from "fast-check";
import { expect, it } from "vitest";
import { splitJsonArray } from "../../src/kernel/raw-json.js";

it("splitJsonArray returns the JSON of each item, whatever the items contain", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (items) => {
      expect(splitJsonArray(JSON.stringify(items))).toEqual(items.map((item) => JSON.stringify(item)));
    }),
  );
  const tricky = ['\\"', "\\\\", '],[{"', [[], {}], { '"]': ["}"] }, ""];
  expect(splitJsonArray(JSON.stringify(tricky))).toEqual(tricky.map((item) => JSON.stringify(item)));
  expect(splitJsonArray("[]")).toEqual([]);
});
