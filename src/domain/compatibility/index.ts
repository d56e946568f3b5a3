/**
 * Backward compatibility of schemas: whether a new version accepts every instance of the old one.
 *
 * `schema/` reads documents, `formula/` translates them into formulas, `solver/` proves that a formula is unsatisfiable, with
 * `regex/` for patterns, and `report/` locates what breaks.
 */

import type { Reason } from "../../contract/errors.js";
import { Budget, TooComplex } from "./budget.js";
import { type Formula, Formulas } from "./formula/formula.js";
import { Semantics } from "./formula/semantics.js";
import { deeperThan, type JsonSchema } from "./json.js";
import { BreakingChanges } from "./report/breaking-changes.js";
import { CIRCULAR, DYNAMIC, TOO_COMPLEX, TOO_DEEP, UNPROVEN } from "./report/messages.js";
import { isCircular } from "./schema/circular.js";
import { SchemaDocument } from "./schema/document.js";
import { assignEquivalenceClasses } from "./schema/equivalence.js";
import { Prover } from "./solver/prover.js";

export type { JsonSchema } from "./json.js";

/** The work of one comparison, in steps. */
const STEPS = 500_000;

/** The nesting of a document that is compared; deeper ones are refused. */
const MAX_NESTING = 400;

/**
 * Finds what makes instances of `older` invalid under `newer`: one reason per breaking change, none only if every
 * instance valid under `older` is certainly valid under `newer`. What cannot be shown is refused, so a reason may
 * also stand for a change that breaks nothing. Takes documents that are valid JSON Schema 2020-12 with all
 * references inside; formats count as assertions. `instancePath` points into `newer`. Never throws; the work is
 * bounded, whatever the documents.
 */
export function findBreakingChanges(older: JsonSchema, newer: JsonSchema): Reason[] {
  if (deeperThan(older, MAX_NESTING) || deeperThan(newer, MAX_NESTING)) return [refusal("compat", TOO_DEEP)];
  const [from, to] = [new SchemaDocument(older), new SchemaDocument(newer)];
  assignEquivalenceClasses([from, to]);
  if (from.root.classId === to.root.classId) return [];
  try {
    return compare(from, to);
  } catch (error) {
    if (isTooMuch(error)) return [refusal("compat", TOO_COMPLEX)];
    throw error;
  }
}

function compare(from: SchemaDocument, to: SchemaDocument): Reason[] {
  const prover = proverFor(STEPS);
  const { formulas } = prover;
  const goal = [instancesOf(from, prover)];
  if (!prover.isUnsatisfiable([...goal, formulas.not(formulas.schema(to.root))])) return describe(from, to);
  if (to.ambiguous) return [refusal("$dynamicRef", DYNAMIC)];
  return isCircular(to) ? [refusal("$ref", CIRCULAR)] : [];
}

/** The reasons, as many as can be found with as much work again as the verdict may take. */
function describe(from: SchemaDocument, to: SchemaDocument): Reason[] {
  const prover = proverFor(STEPS / 2);
  const changes = new BreakingChanges(prover);
  try {
    changes.check([instancesOf(from, prover)], to.root);
  } catch (error) {
    if (!isTooMuch(error)) throw error;
  }
  return changes.reasons.length > 0 ? changes.reasons : [refusal("compat", UNPROVEN)];
}

function proverFor(steps: number): Prover {
  const budget = new Budget(steps);
  return new Prover(new Semantics(new Formulas(budget)), budget);
}

/** The instances of the old schema; every value where its semantics are not defined. */
function instancesOf(from: SchemaDocument, { formulas }: Prover): Formula {
  return from.ambiguous || isCircular(from) ? formulas.true : formulas.schema(from.root);
}

/** Recursion is bounded as well, but how much stack there is depends on the caller. */
function isTooMuch(error: unknown): boolean {
  return error instanceof TooComplex || error instanceof RangeError;
}

function refusal(keyword: string, message: string): Reason {
  return { instancePath: "", keyword, message };
}
