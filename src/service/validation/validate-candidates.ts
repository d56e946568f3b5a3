import type { Reason } from "../../contract/errors.js";
import type { Validator } from "../../domain/json-schema/index.js";
import type { Verdict } from "./protocol.js";

/**
 * Returns the first candidate schema that accepts the payload, or else the candidate with the fewest errors.
 * Returns undefined if a candidate has no validator. Throws `ValidationStopped` once `isStopped` returns
 * true.
 */
export function validateCandidates<Candidate>(
  candidates: readonly Candidate[],
  validatorOf: (candidate: Candidate, index: number) => Validator | undefined,
  payload: unknown,
  isStopped: () => boolean,
): Verdict | undefined {
  let best: { rejected: number; errors: Reason[] } | undefined;
  for (const [index, candidate] of candidates.entries()) {
    const validator = validatorOf(candidate, index);
    if (validator === undefined) return undefined;
    const errors = validator(payload, isStopped);
    if (errors.length === 0) return { accepted: index };
    if (best === undefined || errors.length < best.errors.length) best = { rejected: index, errors };
  }
  return best;
}
