/** Validates a payload against a posting rule's schemas. */

import { WireroomError } from "../../contract/errors.js";
import { type GoverningRule, namesSchemas } from "../../domain/posting.js";
import { monotonicMs } from "../../kernel/clock.js";
import { canonicalJson, sha256 } from "../../kernel/hash.js";
import { schemaUrl } from "../../kernel/names.js";
import { batchedRefResolution, isUnpinned } from "../../store/schemas.js";
import { StalePreparation } from "../pipeline/call.js";
import type { Context } from "../pipeline/context.js";
import type { Candidate } from "../validation/index.js";

/** The result of validating a payload, with the posting rule and the schema versions that were used. */
export interface PayloadVerdict {
  /**
   * Ref and version of the schema that accepted the payload, such as `@ann/order@2`. Null if that schema is
   * inline or the rule has no schemas.
   */
  schemaRef: string | null;
  /**
   * SCHEMA_VALIDATION_FAILED with the closest schema's errors; null if a schema accepts the payload or none
   * applies.
   */
  refusal: WireroomError | null;
  governing: GoverningRule;
  /** The rule's schema refs, with the versions that were used (`@ann/order@2`). */
  refs: readonly string[];
}

/**
 * Returns whether the payload was validated under the current posting rule and schema versions.
 * @param versions the latest version of each schema subject in the rule
 */
export function isVerdictCurrent(
  { governing: then, refs }: PayloadVerdict,
  governing: GoverningRule,
  versions: ReadonlyMap<string, string>,
): boolean {
  return (
    isSame(governing, then) &&
    governing.rule.accepted_schemas.every((ref, n) => (versions.get(ref) ?? ref) === refs[n])
  );
}

function isSame(one: GoverningRule, other: GoverningRule): boolean {
  if (one.source !== other.source) return false;
  // Compare the references first, because the store usually returns the same object for the same rule.
  return one.rule === other.rule || canonicalJson(one.rule) === canonicalJson(other.rule);
}

/** Thrown if the payload was not validated under the posting rule that the transaction loaded. */
export class UnvalidatedPost extends StalePreparation {
  constructor(readonly governing: GoverningRule) {
    super("the payload was not validated under the rule that governs it now");
  }
}

/**
 * Validates a payload under a posting rule. Call this outside transactions, because a slow schema would block
 * other writes.
 */
export async function verdictOn(
  ctx: Context,
  payload: unknown,
  governing: GoverningRule,
): Promise<PayloadVerdict> {
  const refs = ctx.predictedRules.cachedRefs(governing) ?? (await pinnedRefs(ctx, governing));
  if (!namesSchemas(governing.rule)) return { schemaRef: null, refusal: null, governing, refs };
  const candidates: Candidate[] = await Promise.all(
    refs.map(async (ref) => ({ key: ref, document: await ctx.documents.get(ref) })),
  );
  const inline = governing.rule.inline_schema;
  if (inline) candidates.push({ key: `inline:${sha256(canonicalJson(inline))}`, document: inline });
  const startedMs = ctx.record.trace && monotonicMs();
  const found = await ctx.validators.validate(ctx.caller.account.id, candidates, payload);
  if (startedMs !== undefined) ctx.record.trace?.record("validate", startedMs);
  if ("accepted" in found) return { schemaRef: refs[found.accepted] ?? null, refusal: null, governing, refs };
  const schema_ref = refs[found.rejected];
  const refusal = new WireroomError(
    "SCHEMA_VALIDATION_FAILED",
    `the payload is not valid under ${schema_ref ?? "the rule's inline schema"}: see errors; correct it and send it again`,
    {
      rule_source: governing.source,
      ...(schema_ref && { schema_ref, schema_url: schemaUrl(ctx.baseUrl, schema_ref) }),
      errors: found.errors,
    },
  );
  return { schemaRef: null, refusal, governing, refs };
}

/** Adds the latest version to each ref that has none: `@alice/quote` becomes `@alice/quote@2`. */
async function pinnedRefs(
  { store, predictedRules }: Context,
  governing: GoverningRule,
): Promise<readonly string[]> {
  const refs = await Promise.all(
    governing.rule.accepted_schemas.map(async (ref) =>
      isUnpinned(ref) ? ((await store.engine.readBatched(batchedRefResolution, ref)) ?? ref) : ref,
    ),
  );
  predictedRules.saveRefs(governing, refs);
  return refs;
}
