/** A payload under the schemas of the rule that governs it (decisions, section 3). */
import { WireroomError } from "../contract/errors.js";
import { type Governing, namesSchemas } from "../domain/posting-rules.js";
import { canonicalJson, sha256 } from "../kernel/hash.js";
import { PinnedRefs, refResolution } from "../store/schemas.js";
import type { Context } from "./context.js";
import { schemaUrl } from "./uris.js";
import type { Candidate } from "./validation/index.js";

/** What a payload was found to be, and under which state of the world. */
export interface Verdict {
  /** Pinned ref of the schema that accepted it; null for an inline one and where the rule names none. */
  schemaRef: string | null;
  /** SCHEMA_VALIDATION_FAILED with the errors of the schema that it came nearest to, where none accepts it. */
  refusal: WireroomError | null;
  /** The rule that it was judged under, and its refs as they resolved then. */
  governing: Governing;
  refs: readonly string[];
}

/** Whether a verdict is that of the rule that governs now. @param pins the refs as they resolve now */
export async function stillHolds(
  governing: Governing,
  pins: PinnedRefs,
  { governing: then, refs }: Verdict,
): Promise<boolean> {
  if (!isSame(governing, then)) return false;
  const now = await pins.of(governing.rule.accepted_schemas);
  return now.every((ref, n) => ref === refs[n]);
}

/** Rules that were read from the same text are the same object, mostly. */
function isSame(one: Governing, other: Governing): boolean {
  if (one.source !== other.source) return false;
  return one.rule === other.rule || canonicalJson(one.rule) === canonicalJson(other.rule);
}

/** Validates a payload, outside of any transaction: a schema that is slow must not hold up the writer. */
export async function validatePayload(
  ctx: Context,
  governing: Governing,
  payload: unknown,
): Promise<Verdict> {
  const refs = ctx.expectedRules.refsOf(governing) ?? (await pinnedRefs(ctx, governing));
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
  { store, expectedRules }: Context,
  governing: Governing,
): Promise<readonly string[]> {
  const pins = new PinnedRefs((refs) =>
    Promise.all(refs.map((ref) => store.engine.readBatched(refResolution, ref))),
  );
  const refs = await pins.of(governing.rule.accepted_schemas);
  expectedRules.learnRefs(governing, refs);
  return refs;
}
