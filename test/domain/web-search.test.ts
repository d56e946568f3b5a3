import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { QueryNode } from "../../src/contract/query.js";
import { parseWebSearch } from "../../src/domain/web-search.js";

/** Formats a query as `a & !b | <c d>`, where <…> is one phrase of several words. */
function show(node: QueryNode | null): string {
  if (!node) return "nothing";
  switch (node.kind) {
    case "text":
      return /\s/.test(node.text) ? `<${node.text}>` : node.text;
    case "not":
      return `!${show(node.node)}`;
    case "and":
      return node.nodes.map(show).join(" & ");
    case "or":
      return node.nodes.map(show).join(" | ");
  }
}

describe("the parser of web search queries", () => {
  it.each([
    ["fat cat", "fat & cat"],
    ['"fat cat" rat', "<fat cat> & rat"],
    ["fat or cat", "fat | cat"],
    ["fat OR cat oR rat", "fat | cat | rat"],
    ["a or b c or d", "a | b & c | d"],
    ["fat -cat", "fat & !cat"],
    ['-"fat cat" or rat', "!<fat cat> | rat"],
    ["fat - cat", "fat & !cat"],
    ["--fat", "fat"],
    ["---fat", "!fat"],
    ['fat"rat"cat', "fat & rat & cat"],
    ['"fat"or"rat"', "fat | rat"],
  ])("parses %s as %s", (q, expected) => expect(show(parseWebSearch(q))).toBe(expected));

  it.each([
    ['fat "cat rat', "fat & <cat rat>"],
    ['fat cat"', "fat & cat & "],
    ['"', ""],
    ['-"', "!"],
  ])("closes the unclosed quote in %s", (q, expected) => expect(show(parseWebSearch(q))).toBe(expected));

  it.each([
    ["at the beginning", "or rat", "or & rat"],
    ["at the end", "fat or", "fat & or"],
    ["at the end, before blanks", "fat or \t ", "fat & or"],
    ["twice", "fat or or rat", "fat | or & rat"],
    ["after a dash", "fat -or rat", "fat & !or & rat"],
    [
      "as the beginning of a word",
      "fat orange or-abc or_x or1 oré",
      "fat & orange & or-abc & or_x & or1 & oré",
    ],
    ["as the end of a word", "fat/or rat", "fat/or & rat"],
  ])("parses or as a word %s: %s", (_, q, expected) => expect(show(parseWebSearch(q))).toBe(expected));

  it.each([
    ["fat or, rat", "fat | , & rat"],
    ["fat |or rat", "fat | rat"],
    ["fat or (", "fat"],
    ["fat or| rat", "fat | rat"],
  ])("parses or as an operator in %s", (q, expected) => expect(show(parseWebSearch(q))).toBe(expected));

  it.each([
    ["fat & (cat | !rat)", "fat & cat & rat"],
    ["fat:cat :rat ::", "fat & :cat & :rat & : & :"],
    ["a<b>c", "a & b>c"],
    ["fat\0cat\u3000rat", "fat & cat & rat"],
    ["fat\u00a0cat", "<fat\u00a0cat>"],
  ])("ignores meaningless characters in %s", (q, expected) => expect(show(parseWebSearch(q))).toBe(expected));

  it.each(["", "  ", "-", "(|)", "- ! -", "\0"])("returns an empty query for %j", (q) =>
    expect(parseWebSearch(q)).toBeNull(),
  );

  it("accepts 32 operators that wait for their operand, and returns an empty query for more", () => {
    expect(show(parseWebSearch(`${"-".repeat(31)}fat`))).toBe("!fat");
    expect(show(parseWebSearch(`${"-".repeat(32)}fat`))).toBe("fat");
    expect(parseWebSearch(`${"-".repeat(33)}fat`)).toBeNull();
    expect(parseWebSearch(`rat ${"-".repeat(32)}fat`)).toBeNull();
    expect(parseWebSearch(`cat or rat ${"-".repeat(31)}fat`)).toBeNull();
    expect(parseWebSearch(`${"-".repeat(99)}fat`)).toBeNull();
  });

  it("accepts any text of any length", () => {
    for (const junk of ['"', "-", "or ", "a or ", "(", ":", '-"a" ', "\0", "x"]) {
      parseWebSearch(junk.repeat(262_144 / junk.length));
    }
    fc.assert(fc.property(fc.string({ unit: "binary" }), (q) => void parseWebSearch(q)));
  });
});
