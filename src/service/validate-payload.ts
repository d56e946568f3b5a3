/** A payload under the schemas of the rule that governs it (decisions, section 3). */
import { WireroomError } from "../contract/errors.js";
import { type Governing, namesSchemas } from "../domain/posting-rules.js";
import { canonicalJson, sha256 } from "../kernel/hash.js";
import type { Session } from "../store/engine.js";
import { resolveRefs } from "../store/schemas.js";
import type { Context } from "./context.js";
import { schemaUrl } from "./uris.js";
import type { Candidate } from "./validation/index.js";

/** What a payload was found valid under, and under which state of the world. */
export interface Verdict {
  /** Pinned ref of the schema that accepted it; null for an inline one and where the rule names none. */
  schemaRef: string | null;
  /** The rule and its refs as resolved: the verdict holds while this is the same. */
  basis: string;
}

/** Refs of a rule as they resolve now. */
async function resolve(session: Session, { rule }: Governing): Promise<string[]> {
  if (rule.accepted_schemas.length === 0) return [];
  return (await resolveRefs(session, rule.accepted_schemas)).filter((ref) => ref !== undefined);
}

function basisOf({ rule }: Governing, refs: readonly string[]): string {
  return rule.inline_schema ? JSON.stringify([refs, rule.inline_schema]) : refs.join(" ");
}

/** Whether a verdict still holds for the rule that governs now. */
export async function stillHolds(session: Session, governing: Governing, verdict: Verdict): Promise<boolean> {
  return verdict.basis === basisOf(governing, await resolve(session, governing));
}

/** The verdict on a payload. Throws SCHEMA_VALIDATION_FAILED with the errors of the schema that it came nearest to. */
export async function validatePayload(
  ctx: Context,
  governing: Governing,
  payload: unknown,
): Promise<Verdict> {
  const session = ctx.store.engine.reader;
  const refs = await resolve(session, governing);
  const basis = basisOf(governing, refs);
  if (!namesSchemas(governing.rule)) return { schemaRef: null, basis };
  const candidates: Candidate[] = await Promise.all(
    refs.map(async (ref) => ({ key: ref, document: await ctx.documents.get(ref) })),
  );
  const inline = governing.rule.inline_schema;
  if (inline) candidates.push({ key: `inline:${sha256(canonicalJson(inline))}`, document: inline });
  const verdict = await ctx.validators.validate(candidates, payload);
  if ("accepted" in verdict) return { schemaRef: refs[verdict.accepted] ?? null, basis };
  const schema_ref = refs[verdict.rejected];
  throw new WireroomError(
    "SCHEMA_VALIDATION_FAILED",
    `the payload is not valid under ${schema_ref ?? "the rule's inline schema"}: see errors; correct it and send it again`,
    {
      rule_source: governing.source,
      ...(schema_ref && { schema_ref, schema_url: schemaUrl(ctx.baseUrl, schema_ref) }),
      errors: verdict.errors,
    },
  );
}
