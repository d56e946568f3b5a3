import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findBreakingChanges, type JsonSchema } from "../../src/domain/compatibility/index.js";
import { suite } from "../harness/suites.js";
import { HOSTILE } from "./compatibility-hostile.js";
import { INSTANCES, pair, suggested } from "./compatibility-pairs.js";
import { BREAKING, COMPATIBLE } from "./compatibility-rules.js";

describe("a new version of a schema is accepted when", () => {
  it.each(COMPATIBLE)("%s", (_, older, newer) => {
    expect(findBreakingChanges(older, newer)).toEqual([]);
  });
});

describe("a new version of a schema is refused, and told where, when", () => {
  it.each(BREAKING)("%s", (_, older, newer, ...where) => {
    const reasons = findBreakingChanges(older, newer);
    expect(reasons.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)).toEqual(where);
    for (const { message } of reasons) expect(message).toMatch(/: /);
  });
});

/** What was reached; a change that accepts less of the suite has lost something. */
const ACCEPTED_AT_LEAST = 717;

interface Case {
  name: string;
  old: JsonSchema;
  new: JsonSchema;
  backward_compatible: boolean;
}

const cases = suite("compat/compat.shared.json") as Case[] | undefined;

describe.skipIf(!cases)(
  `the suite of pairs${cases ? "" : " (missing: set WIREROOM_SUITES to the folder of suites)"}`,
  () => {
    const verdicts = (cases ?? []).map((one) => ({
      ...one,
      accepted: findBreakingChanges(one.old, one.new).length === 0,
    }));
    const breaking = verdicts.filter((one) => !one.backward_compatible);
    const compatible = verdicts.filter((one) => one.backward_compatible);

    it("has no breaking change that is accepted", () => {
      const accepted = breaking.filter((one) => one.accepted);
      console.log(`breaking changes refused: ${breaking.length - accepted.length} of ${breaking.length}`);
      expect(accepted.map((one) => one.name)).toEqual([]);
    });

    it("has its compatible changes accepted", () => {
      const accepted = compatible.filter((one) => one.accepted);
      console.log(`compatible changes accepted: ${accepted.length} of ${compatible.length}`);
      expect(accepted.length).toBeGreaterThanOrEqual(ACCEPTED_AT_LEAST);
    });
  },
);

describe("random pairs", () => {
  /** The validator's verdict; none where it fails, as it does on some schemas that track evaluated properties. */
  const validator = (schema: JsonSchema) => {
    const validate = new Ajv2020({ strict: false, ownProperties: true, validateSchema: false }).compile(
      schema as object,
    );
    return (value: unknown) => {
      try {
        return validate(value);
      } catch {
        return undefined;
      }
    };
  };

  it("are never accepted against a counter-example", () => {
    let accepted = 0;
    const check = ([older, newer]: [JsonSchema, JsonSchema]) => {
      if (findBreakingChanges(older, newer).length > 0) return;
      accepted++;
      const [before, after] = [validator(older), validator(newer)];
      const witness = [...INSTANCES, ...suggested([older, newer])].find(
        (value) => before(value) && !after(value),
      );
      expect(witness).toBeUndefined();
    };
    fc.assert(fc.property(pair, check), { seed: 20, numRuns: 400 });
    expect(accepted).toBeGreaterThan(100);
  });

  it("are accepted when nothing has changed, or everything is allowed", () => {
    const check = ([older]: [JsonSchema, JsonSchema]) => {
      expect(findBreakingChanges(older, structuredClone(older))).toEqual([]);
      expect(findBreakingChanges(older, { anyOf: [older, { type: "string" }] })).toEqual([]);
      expect(findBreakingChanges(older, true)).toEqual([]);
      expect(findBreakingChanges(false, older)).toEqual([]);
    };
    fc.assert(fc.property(pair, check), { seed: 21, numRuns: 150 });
  });
});

describe("hostile schemas", () => {
  it.each(HOSTILE)("of %s are compared within the bounds", (_, older, newer) => {
    const start = performance.now();
    for (const [from, to] of [
      [older, newer],
      [newer, older],
      [true, newer],
      [newer, { type: "string" }],
    ] as const) {
      for (const reason of findBreakingChanges(from, to)) expect(reason.message).toMatch(/: /);
    }
    expect(performance.now() - start).toBeLessThan(40_000);
  });
});
