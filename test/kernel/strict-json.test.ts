import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitJsonArray } from "../../src/kernel/raw-json.js";
import { JsonError, MAX_JSON_DEPTH, parseJson, parseJsonBytes } from "../../src/kernel/strict-json.js";

const seed = Number(process.env.WIREROOM_FUZZ_SEED ?? 20_260_102);
const numRuns = Number(process.env.WIREROOM_FUZZ_RUNS ?? 500);

type Node = string | { array: Node[] } | { object: [string, Node][] };

/**
 * A simple model of the parser: returns whether a document must be rejected, for a tree with keys and
 * literals as text.
 */
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

/** String literals with every kind of escape, including lone surrogates. */
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
/** Numbers with few digits, which a double represents either exactly or not at all. */
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

/**
 * Number literals near the limits of a double, in many spellings: moved points, exponents, and zeros at both
 * ends.
 */
const decimalLiteral = fc
  .record({
    sign: fc.constantFrom("", "-"),
    digits: fc.oneof(
      fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String),
      fc
        .double({ noNaN: true, noDefaultInfinity: true, min: 0 })
        .map((double) => String(double).split("e")[0]!),
      fc
        .tuple(fc.constantFrom(2n ** 53n, 2n ** 60n, 10n ** 17n), fc.bigInt({ min: -3n, max: 3n }))
        .map(([near, by]) => String(near + by)),
    ),
    point: fc.nat({ max: 22 }),
    zeros: fc.nat({ max: 3 }),
    exponent: fc.oneof(
      fc.constant(""),
      fc.constantFrom("e0", "E+0", "e-0", "e1", "E-16", "e22"),
      fc.integer({ min: -345, max: 320 }).map((e) => `e${e}`),
    ),
  })
  .map(({ sign, digits, point, zeros, exponent }) => {
    const plain = digits.replace(".", "");
    const whole = plain.slice(0, point).replace(/^0+(?=\d)/, "") || "0";
    const fraction = plain.slice(point) + "0".repeat(zeros);
    return `${sign}${whole}${fraction && `.${fraction}`}${exponent}`;
  });

/** Compares two decimal literals by their exact values. */
function equalDecimals(one: string, other: string): boolean {
  const [a, b] = [exactDecimal(one), exactDecimal(other)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (value: typeof a) => value.digits * 10n ** BigInt(value.exponent - exponent);
  return scaled(a) === scaled(b);
}

/** Returns the value of a literal as `digits` × 10^`exponent`. */
function exactDecimal(literal: string): { digits: bigint; exponent: number } {
  const [mantissa, exponent = "0"] = literal.toLowerCase().split("e") as [string, string?];
  const [whole, fraction = ""] = mantissa.split(".") as [string, string?];
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

const tree = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(stringLiteral, numberLiteral, fc.constantFrom("true", "false", "null")),
    fc.record({ array: fc.array(tie("node"), { maxLength: 3 }) }),
    fc.record({ object: fc.array(fc.tuple(stringLiteral, tie("node")), { maxLength: 3 }) }),
  ),
})).node;

describe("the strict JSON parser", () => {
  // [D2-number-range]
  it.each([
    ["9007199254740993", false],
    ["-9223372036854775808", false],
    ["9223372036854775807", false],
    ["100000000000000000000", true],
    ["1.000000000000000005", false],
    ["9007199254740993e0", false],
    ["9007199254740993.0", false],
    ["9007199254740993E+0", false],
    ["12345678901234567e0", false],
    ["0.9007199254740993e16", false],
    ["0.10000000000000001", false],
    ["9007199254740992.0", true],
    ["0.30000000000000004", true],
    ["3.141592653589793", true],
    ["1e-400", false],
    ["5e-324", true],
    ["-0.0", true],
    ["0e999999", true],
    ["1e400", false],
  ])("accepts the number %s: %s", (literal, taken) => {
    if (taken) expect(parseJson(literal)).toBe(JSON.parse(literal));
    else expect(() => parseJson(literal)).toThrow("send it as a string");
  });

  // [D2-number-range]
  it(`rejects exactly the numbers whose double denotes another decimal, compared with BigInt (seed ${seed})`, () => {
    const property = fc.property(decimalLiteral, (literal) => {
      const double = Number(literal);
      if (Number.isFinite(double) && equalDecimals(literal, String(double)))
        expect(parseJson(`[${literal}]`)).toEqual([double]);
      else expect(() => parseJson(`[${literal}]`)).toThrow("send it as a string");
    });
    fc.assert(property, { numRuns: numRuns * 10, seed });
  });

  // [D2-duplicate-keys] [D2-depth] [D2-lone-surrogate] [D2-number-range]
  it(`rejects exactly what a simple model rejects, and parses the rest like JSON.parse (seed ${seed})`, () => {
    // The arrays around the tree use all but four of the 64 levels.
    const left = 4;
    const around = MAX_JSON_DEPTH - left;
    const property = fc.property(tree, blank, (node, space) => {
      const text = "[".repeat(around) + write(node, space) + "]".repeat(around);
      if (refusal(node, left)) expect(() => parseJson(text)).toThrow(JsonError);
      else expect(parseJson(text)).toEqual(JSON.parse(text));
    });
    fc.assert(property, { numRuns, seed });
  });

  // [D2-text-verbatim]
  it(`parses the output of JSON.stringify for valid text (seed ${seed})`, () => {
    const value = fc.jsonValue({ stringUnit: "binary" });
    const property = fc.property(value, (sound) => {
      const text = JSON.stringify(sound);
      expect(parseJsonBytes(Buffer.from(text))).toEqual(JSON.parse(text));
    });
    fc.assert(property, { numRuns, seed });
  });

  // [D2-invalid-json] [D2-no-5xx]
  it(`throws only its own error for any text (seed ${seed})`, () => {
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

  // [D2-invalid-json]
  it("reports the position of the error", () => {
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

  // [D2-no-5xx]
  it("takes time proportional to the length of any text", () => {
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

// [D8-mcp-strict-json]
it(`splitJsonArray returns the texts of the elements of an array (seed ${seed})`, () => {
  const property = fc.property(fc.array(tree, { minLength: 1, maxLength: 5 }), blank, (array, space) => {
    const elements = array.map((node) => write(node, space));
    expect(splitJsonArray(`${space}[${elements.join(",")}]${space}`.trim())).toEqual(elements);
  });
  fc.assert(property, { numRuns, seed });
  const long = `"${"\\n".repeat(130_000)}"`;
  expect(splitJsonArray(`[${long},1]`)).toEqual([long, "1"]);
});
