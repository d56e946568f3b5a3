import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonError, MAX_JSON_DEPTH, parseJson, parseJsonBytes } from "../../src/kernel/strict-json.js";

const seed = Number(process.env.WIREROOM_FUZZ_SEED ?? 20_260_102);
const numRuns = Number(process.env.WIREROOM_FUZZ_RUNS ?? 500);

type Node = string | { array: Node[] } | { object: [string, Node][] };

/** What the reader must refuse, said as simply as can be: over a tree whose keys and literals are still text. */
function refusal(node: Node, maxDepth: number, depth = 0): boolean {
  if (typeof node === "string") return literalRefused(node);
  if (depth >= maxDepth) return true;
  if ("array" in node) return node.array.some((item) => refusal(item, maxDepth, depth + 1));
  const keys = node.object.map(([key]) => JSON.parse(key) as string);
  if (new Set(keys).size < keys.length) return true;
  return node.object.some(([key, item]) => literalRefused(key) || refusal(item, maxDepth, depth + 1));
}

function literalRefused(text: string): boolean {
  if (text.startsWith('"')) return !(JSON.parse(text) as string).isWellFormed();
  return !["true", "false", "null"].includes(text) && !Number.isFinite(Number(text));
}

const blank = fc.constantFrom("", " ", "\n", "\t ", "\r\n");

function write(node: Node, space: string): string {
  if (typeof node === "string") return space + node + space;
  const items =
    "array" in node
      ? node.array.map((item) => write(item, space))
      : node.object.map(([key, item]) => `${space}${key}${space}:${write(item, space)}`);
  const [open, close] = "array" in node ? "[]" : "{}";
  return `${space}${open}${space}${items.join(",")}${close}${space}`;
}

/** Literals of strings with escapes of every kind, lone surrogates among them. */
const stringLiteral = fc
  .array(
    fc.constantFrom(
      "a",
      "b",
      "\\\\",
      '\\"',
      "\\n",
      "\\u0061",
      "\\ud83d",
      "\\ude00",
      "\\u0000",
      "é",
      "\u{1F600}",
      "{",
      "[",
      ",",
    ),
    {
      maxLength: 4,
    },
  )
  .map((parts) => `"${parts.join("")}"`);
/** Numbers of few digits, which a double either holds exactly or not at all. */
const numberLiteral = fc.constantFrom(
  "0",
  "-0",
  "1",
  "-12.5",
  "1e3",
  "1E-2",
  "1e308",
  "1e309",
  "-1e400",
  "0.1",
  "123456789012345",
);
const tree = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(stringLiteral, numberLiteral, fc.constantFrom("true", "false", "null")),
    fc.record({ array: fc.array(tie("node"), { maxLength: 3 }) }),
    fc.record({ object: fc.array(fc.tuple(stringLiteral, tie("node")), { maxLength: 3 }) }),
  ),
})).node;

describe("strict JSON", () => {
  it.each([
    ["9007199254740993", false],
    ["-9223372036854775808", false],
    ["9223372036854775807", false],
    ["100000000000000000000", true],
    ["1.000000000000000005", false],
    ["0.10000000000000001", true],
    ["3.141592653589793", true],
    ["1e-400", false],
    ["5e-324", true],
    ["-0.0", true],
    ["0e999999", true],
    ["1e400", false],
  ])("takes the number %s: %s [D2-number-range]", (literal, taken) => {
    if (taken) expect(parseJson(literal)).toBe(JSON.parse(literal));
    else expect(() => parseJson(literal)).toThrow("send it as a string");
  });

  it(`refuses just what a plain model refuses, and reads the rest as JSON.parse does (seed ${seed}) [D2-duplicate-keys] [D2-depth] [D2-lone-surrogate] [D2-number-range]`, () => {
    // Of the 64 levels that there are, all but four are taken by arrays around the tree.
    const left = 4;
    const around = MAX_JSON_DEPTH - left;
    const property = fc.property(tree, blank, (node, space) => {
      const text = "[".repeat(around) + write(node, space) + "]".repeat(around);
      if (refusal(node, left)) expect(() => parseJson(text)).toThrow(JsonError);
      else expect(parseJson(text)).toEqual(JSON.parse(text));
    });
    fc.assert(property, { numRuns, seed });
  });

  it(`reads back whatever JSON.stringify writes of sound text (seed ${seed}) [D2-text-verbatim]`, () => {
    const value = fc.jsonValue({ stringUnit: "binary" });
    const property = fc.property(value, (sound) => {
      const text = JSON.stringify(sound);
      expect(parseJsonBytes(Buffer.from(text))).toEqual(JSON.parse(text));
    });
    fc.assert(property, { numRuns, seed });
  });

  it(`throws nothing but its own error, whatever the text (seed ${seed}) [D2-invalid-json] [D2-no-5xx]`, () => {
    const piece = fc.constantFrom(
      '"',
      "\\",
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      "1",
      "-",
      "e",
      ".",
      "\\u",
      "d8",
      "00",
      "n",
      " ",
    );
    const soup = fc.array(piece, { maxLength: 20 }).map((parts) => parts.join(""));
    const property = fc.property(fc.oneof(soup, fc.string({ unit: "binary" })), (text) => {
      try {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      } catch (error) {
        expect(error).toBeInstanceOf(JsonError);
      }
    });
    fc.assert(property, { numRuns: numRuns * 4, seed });
  });

  it("points at what it refuses [D2-invalid-json]", () => {
    const pointerOf = (text: string) => {
      try {
        parseJson(text);
      } catch (error) {
        return (error as JsonError).pointer;
      }
    };
    expect(pointerOf('{"a":[0,{"b~/c":1e400}]}')).toBe("/a/1/b~0~1c");
    expect(pointerOf('{"a":{"x":1,"x":2}}')).toBe("/a/x");
    expect(pointerOf('{"a":["ok","\\ud800"]}')).toBe("/a/1");
  });

  it("takes time in proportion to the text, however hostile [D2-no-5xx]", () => {
    const hostile = [
      `["${"\\\\".repeat(120_000)}"]`,
      `[0.${"0".repeat(240_000)}]`,
      `[1${"0".repeat(200)}e-200]`,
      "[".repeat(260_000),
      `{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":1`).join(",")}}`,
    ];
    const began = performance.now();
    for (const text of hostile) {
      try {
        parseJson(text);
      } catch (error) {
        expect(error).toBeInstanceOf(JsonError);
      }
    }
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
