import fc from "fast-check";
import { expect, it } from "vitest";
import { escapeJsonBytes, splitJsonArray } from "../../src/kernel/raw-json.js";

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

it("escapeJsonBytes escapes as JSON.stringify does, wherever quotes and backslashes are", () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.string({ unit: fc.constantFrom('"', "\\", "a", "é", "😀", "\u0000") }),
      (value, text) => {
        const json = JSON.stringify([value, text]);
        expect(escapeJsonBytes(Buffer.from(json)).toString()).toBe(JSON.stringify(json).slice(1, -1));
      },
    ),
  );
});
