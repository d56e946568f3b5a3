import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CursorCodec } from "../../src/kernel/cursor.js";

const seed = Number(process.env.WIREROOM_FUZZ_SEED ?? 20_260_102);
const numRuns = Number(process.env.WIREROOM_FUZZ_RUNS ?? 500);

const codec = new CursorCodec("secret");
const position = fc.array(fc.nat({ max: Number.MAX_SAFE_INTEGER }), { minLength: 1, maxLength: 3 });
/** Scopes consist of operation ids, resource ids and sort orders: words without line breaks. */
const scope = fc.array(fc.stringMatching(/^[a-z0-9.-]{1,8}$/), { minLength: 1, maxLength: 4 });

describe(`a cursor (seed ${seed})`, () => {
  // [D2-cursor-bound]
  it("returns its position in its own scope", () => {
    const property = fc.property(scope, position, (bound, numbers) => {
      expect(codec.decode(bound, codec.encode(bound, numbers))).toEqual(numbers);
    });
    fc.assert(property, { numRuns, seed });
  });

  // [D2-cursor-bound] [D2-foreign-cursor]
  it("is invalid in any other scope or under another secret", () => {
    const other = new CursorCodec("another secret");
    const property = fc.property(scope, scope, position, (bound, foreign, numbers) => {
      const cursor = codec.encode(bound, numbers);
      fc.pre(JSON.stringify(bound) !== JSON.stringify(foreign));
      expect(codec.decode(foreign, cursor)).toBeUndefined();
      expect(other.decode(bound, cursor)).toBeUndefined();
    });
    fc.assert(property, { numRuns, seed });
  });

  // [D2-foreign-cursor]
  it("is invalid with one character changed, removed or added", () => {
    const property = fc.property(
      scope,
      position,
      fc.nat(),
      fc.constantFrom("", "x", ".", "0", "A", "é", "\u0000"),
      fc.boolean(),
      (bound, numbers, at, instead, insert) => {
        const cursor = codec.encode(bound, numbers);
        const index = at % cursor.length;
        const changed = cursor.slice(0, index) + instead + cursor.slice(insert ? index : index + 1);
        fc.pre(changed !== cursor);
        expect(codec.decode(bound, changed)).toBeUndefined();
      },
    );
    fc.assert(property, { numRuns, seed });
  });

  // [D2-foreign-cursor] [D2-no-5xx]
  it("made from arbitrary text is invalid, and causes no error", () => {
    const property = fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(codec.decode(["inbox.read", "x"], text)).toBeUndefined();
    });
    fc.assert(property, { numRuns, seed });
  });
});
