/**
 * Checks whether a new version of a schema is backward compatible: it must accept every value that the old
 * version accepts. `meaning.ts` says what each keyword demands. `cases.ts` looks for a value that is valid
 * under the old version only, and the rules for each type of value rule it out. `breaking-changes.ts` locates
 * the changes that no rule covers.
 */

import type { Reason } from "../../contract/errors.js";
import { ReasonList } from "../json-schema/reason-list.js";
import { canonicalText, isDeeperThan, type JsonSchema } from "../json-schema/values.js";
import { BreakingChanges } from "./breaking-changes.js";
import { Budget, BudgetExceeded } from "./budget.js";
import { Cases } from "./cases.js";
import { SchemaDocument } from "./document.js";
import { DYNAMIC, TOO_COMPLEX, TOO_DEEP, WAS_DYNAMIC } from "./messages.js";
import { Terms } from "./terms.js";

export type { JsonSchema } from "../json-schema/values.js";

const STEPS = 600_000;
const MAX_NESTING = 400;

/**
 * Returns a reason for each change that makes values of `older` invalid under `newer`. Returns none only if
 * `newer` certainly accepts every value of `older`. A reason may be a false alarm.
 *
 * Both documents must have passed `checkSchema`. `format` counts as enforced. The `instancePath` of a reason
 * points into `newer`. Never throws, and does a limited amount of work.
 */
export function findBreakingChanges(older: JsonSchema, newer: JsonSchema): Reason[] {
  if (isDeeperThan(older, MAX_NESTING) || isDeeperThan(newer, MAX_NESTING))
    return refusal("compat", TOO_DEEP);
  const [from, to] = [new SchemaDocument(older, "older"), new SchemaDocument(newer, "newer")];
  if (canonicalText(from.root.schema) === canonicalText(to.root.schema)) return [];
  const terms = new Terms(new Budget(STEPS));
  const changes = new BreakingChanges(new Cases(terms));
  try {
    changes.check([terms.claim(from.root)], to.root);
  } catch (error) {
    if (!(error instanceof BudgetExceeded) && !(error instanceof RangeError)) throw error;
    if (changes.found.size === 0) return refusal("compat", TOO_COMPLEX);
  }
  const ambiguous = to.ambiguous.flatMap(({ pointer }) =>
    refusal("$dynamicRef", DYNAMIC, `${pointer}/$dynamicRef`),
  );
  const reasons = ReasonList.firstOf([...changes.found.values(), ...ambiguous]);
  return reasons.length === 0 && from.ambiguous.length > 0 ? refusal("$dynamicRef", WAS_DYNAMIC) : reasons;
}

function refusal(keyword: string, message: string, instancePath = ""): Reason[] {
  return [{ instancePath, keyword, message }];
}
