/** A schema whose validation never completes. */
import { expect } from "vitest";
import type { Candidate } from "../../src/service/validation/index.js";

/**
 * Returns a schema whose validation time doubles with each of 40 levels. `unevaluatedProperties` prevents
 * caching of verdicts.
 */
export function slowSchema(key: string): Candidate {
  const $defs: Record<string, unknown> = { d0: { properties: { z: { type: "integer" } } } };
  for (let i = 1; i <= 40; i++) {
    const $ref = `#/$defs/d${i - 1}`;
    $defs[`d${i}`] = { anyOf: [{ $ref }, { $ref }] };
  }
  return { key, document: { $ref: "#/$defs/d40", $defs, unevaluatedProperties: false } };
}

/** Returns the expected verdict. @param index index of the schema among the candidates */
export const timeoutVerdict = (index: number) => ({
  rejected: index,
  errors: [{ instancePath: "", keyword: "timeout", message: expect.stringContaining("250 ms") }],
});
