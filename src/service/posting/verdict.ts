/** The verdict on a payload under the schemas of a posting rule. */
import { WireroomError } from "../../contract/errors.js";
import { type Governing, namesSchemas } from "../../domain/posting.js";
import { canonicalJson, sha256 } from "../../kernel/hash.js";
import { schemaUrl } from "../../kernel/names.js";
import { isUnpinned, PinnedRefs, refResolution } from "../../store/schemas.js";
import type { Context } from "../pipeline/context.js";
import { Stale } from "../pipeline/handler.js";
import type { Candidate } from "../validation/index.js";
import type { Draft } from "./draft.js";

/** Whether a payload is valid, and under which rule and versions that was found. */
export interface Verdict {
  /** Pinned ref of the schema that accepted it; null for an inline one and where the rule names none. */
  schemaRef: string | null;
  /** SCHEMA_VALIDATION_FAILED with the errors of the schema that has the fewest, where none accepts it. */
  refusal: WireroomError | null;
  governing: Governing;
  /** The refs of the rule as they resolved then. */
  refs: readonly string[];
}

/** Whether a verdict was found under the rule that governs now. @param pins the refs as they resolve now */
export async function stillHolds(
  { governing: then, refs }: Verdict,
  governing: Governing,
  pins: PinnedRefs,
): Promise<boolean> {
  if (!isSame(governing, then)) return false;
  const now = await pins.of(governing.rule.accepted_schemas);
  return now.every((ref, n) => ref === refs[n]);
}

function isSame(one: Governing, other: Governing): boolean {
  if (one.source !== other.source) return false;
  // Rules that were read from the same text are mostly the same object.
  return one.rule === other.rule || canonicalJson(one.rule) === canonicalJson(other.rule);
}

/** The payload was not validated under the rule that governs it. */
export class UnvalidatedPost extends Stale {
  constructor(readonly governing: Governing) {
    super("the payload was not validated under the rule that governs it now");
  }
}

/** Validates a payload under the rule that a transaction found to govern it. */
export function validateAnew(draft: Draft, { governing }: UnvalidatedPost): Promise<Draft> {
  draft.ctx.predictedRules.forgetRefs(governing);
  return validatePayload(draft, governing);
}

/** The draft with the verdict on its payload. Runs outside of any transaction, as a slow schema must not hold up the writer. */
export async function validatePayload(draft: Draft, governing: Governing): Promise<Draft> {
  const subjects = governing.rule.accepted_schemas.filter(isUnpinned);
  const verdict = await verdictOn(draft.ctx, draft.payload, governing);
  return { ...draft, verdict, query: { ...draft.query, subjects } };
}

async function verdictOn(ctx: Context, payload: unknown, governing: Governing): Promise<Verdict> {
  const refs = ctx.predictedRules.refsOf(governing) ?? (await pinnedRefs(ctx, governing));
  if (!namesSchemas(governing.rule)) return { schemaRef: null, refusal: null, governing, refs };
  const candidates: Candidate[] = await Promise.all(
    refs.map(async (ref) => ({ key: ref, document: await ctx.documents.get(ref) })),
  );
  const inline = governing.rule.inline_schema;
  if (inline) candidates.push({ key: `inline:${sha256(canonicalJson(inline))}`, document: inline });
  const found = await ctx.validators.validate(candidates, payload);
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

async function pinnedRefs(
  { store, predictedRules }: Context,
  governing: Governing,
): Promise<readonly string[]> {
  const pins = new PinnedRefs((refs) =>
    Promise.all(refs.map((ref) => store.engine.readBatched(refResolution, ref))),
  );
  const refs = await pins.of(governing.rule.accepted_schemas);
  predictedRules.learnRefs(governing, refs);
  return refs;
}
