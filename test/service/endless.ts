/** A schema under which a validation does not end. */
import { expect } from "vitest";
import type { Candidate } from "../../src/service/validation/index.js";

/** Doubles with each level, and looks at what was evaluated, so that no verdict can be kept. */
export function endless(key: string): Candidate {
  const $defs: Record<string, unknown> = { d0: { properties: { z: { type: "integer" } } } };
  for (let i = 1; i <= 40; i++) {
    const $ref = `#/$defs/d${i - 1}`;
    $defs[`d${i}`] = { anyOf: [{ $ref }, { $ref }] };
  }
  return { key, document: { $ref: "#/$defs/d40", $defs, unevaluatedProperties: false } };
}

/** The verdict on it. @param index of the candidate */
export const timedOut = (index: number) => ({
  rejected: index,
  errors: [{ instancePath: "", keyword: "timeout", message: expect.stringContaining("250 ms") }],
});
