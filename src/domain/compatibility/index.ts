/**
 * Checks whether a new version of a schema is backward compatible: it must accept every value that the old
 * version accepts.
 *
 * `schema/` parses the documents, and `formula/` translates them to logical formulas. `solver/` tries to
 * prove that no value is valid under the old version but invalid under the new version. `regex/` analyses
 * patterns, and `report/` locates the breaking changes.
 */

import type { Reason } from "../../contract/errors.js";
import { ReasonList } from "../json-schema/reason-list.js";
import { findInfiniteRecursion } from "../json-schema/recursion.js";
import { isDeeperThan, type JsonSchema } from "../json-schema/values.js";
import { Budget, BudgetExceeded } from "./budget.js";
import { type Formula, Formulas } from "./formula/formula.js";
import { Semantics } from "./formula/semantics.js";
import { BreakingChanges } from "./report/breaking-changes.js";
import { CIRCULAR, DYNAMIC, TOO_COMPLEX, TOO_DEEP, UNPROVEN, WAS_DYNAMIC } from "./report/messages.js";
import { SchemaDocument } from "./schema/document.js";
import { assignEquivalenceClasses } from "./schema/equivalence.js";
import { isEqualButForAnnotations, withoutKeywords } from "./schema/same.js";
import { Prover } from "./solver/prover.js";

export type { JsonSchema } from "../json-schema/values.js";

const STEPS = 500_000;

const MAX_NESTING = 400;

/**
 * Returns a reason for each change that makes values of `older` invalid under `newer`. Returns no reasons
 * only if it is proven that `newer` accepts every value of `older`. A reason may be a false alarm, because a
 * change that cannot be proven compatible is also reported.
 *
 * Both documents must be valid JSON Schema 2020-12 without external references. `format` counts as enforced.
 * The `instancePath` of a reason points into `newer`. Never throws, and does a limited amount of work.
 */
export function findBreakingChanges(older: JsonSchema, newer: JsonSchema): Reason[] {
  if (isDeeperThan(older, MAX_NESTING) || isDeeperThan(newer, MAX_NESTING))
    return [refusal("compat", TOO_DEEP)];
  if (isEqualButForAnnotations(older, newer)) return [];
  const [from, to] = [new SchemaDocument(older), new SchemaDocument(newer)];
  assignEquivalenceClasses([from, to]);
  if (from.root.classId === to.root.classId) return [];
  try {
    return compare(from, to);
  } catch (error) {
    if (isLimitError(error)) return [refusal("compat", TOO_COMPLEX)];
    throw error;
  }
}

function compare(from: SchemaDocument, to: SchemaDocument): Reason[] {
  const prover = proverFor(STEPS);
  const { formulas } = prover;
  const goal = [instancesOf(from, prover)];
  const isProven = prover.isUnsatisfiable([...goal, formulas.not(formulas.schema(to.root))]);
  if (to.ambiguous || (from.ambiguous && !isProven)) return describeDynamic(from, to);
  if (!isProven) return describe(from, to);
  return isCircular(to) ? [refusal("$ref", CIRCULAR)] : [];
}

/** Returns at least one reason. The search has its own step budget. */
function describe(from: SchemaDocument, to: SchemaDocument): Reason[] {
  const prover = proverFor(STEPS / 2);
  const changes = new BreakingChanges(prover);
  try {
    changes.check([instancesOf(from, prover)], to.root);
  } catch (error) {
    if (!isLimitError(error)) throw error;
  }
  return changes.reasons.length > 0 ? changes.reasons : [refusal("compat", UNPROVEN)];
}

/**
 * Handles schemas with a `$dynamicRef` that has several possible targets. Returns a reason for each such
 * reference, and for each other breaking change.
 */
function describeDynamic(from: SchemaDocument, to: SchemaDocument): Reason[] {
  const [older, newer] = [from, to].map(
    ({ root }) => withoutKeywords(root.schema, DYNAMIC_REF) as JsonSchema,
  );
  const references = to.ambiguousReferences.map(({ pointer }) => ({
    instancePath: `${pointer}/$dynamicRef`,
    keyword: "$dynamicRef",
    message: DYNAMIC,
  }));
  const reasons = ReasonList.firstOf([...findBreakingChanges(older!, newer!), ...references]);
  return reasons.length > 0 ? reasons : [refusal("$dynamicRef", WAS_DYNAMIC)];
}

const DYNAMIC_REF: ReadonlySet<string> = new Set(["$dynamicRef"]);

function proverFor(steps: number): Prover {
  const budget = new Budget(steps);
  return new Prover(new Semantics(new Formulas(budget)), budget);
}

/**
 * Returns the formula "the value is valid under the old schema". If the meaning of the old schema is
 * undefined, as for `{"$ref": "#"}`, every value counts as valid.
 */
function instancesOf(from: SchemaDocument, { formulas }: Prover): Formula {
  return from.ambiguous || isCircular(from) ? formulas.true : formulas.schema(from.root);
}

function isCircular({ index }: SchemaDocument): boolean {
  return findInfiniteRecursion(index).length > 0;
}

function isLimitError(error: unknown): boolean {
  return error instanceof BudgetExceeded || error instanceof RangeError;
}

function refusal(keyword: string, message: string): Reason {
  return { instancePath: "", keyword, message };
}
