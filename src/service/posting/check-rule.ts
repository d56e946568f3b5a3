/** A posting rule that a caller wants to set: its refs must exist, its inline schema must be acceptable. */
import { invalid, type Reason } from "../../contract/errors.js";
import type { PostingRuleInput } from "../../contract/shapes.js";
import { resolveRefs } from "../../store/schemas.js";
import type { Context } from "../pipeline/context.js";

/**
 * Throws 400 with the reasons (decisions, section 3). Schemas are never unregistered, so what holds now still holds when the
 * rule is stored.
 * @param rules the rules by the name of their field
 */
export async function checkRules(
  ctx: Context,
  rules: Readonly<Record<string, PostingRuleInput | undefined>>,
): Promise<void> {
  const reasons: Reason[] = [];
  for (const [field, rule] of Object.entries(rules)) {
    if (rule) reasons.push(...(await faultsOf(ctx, `/${field}`, rule)));
  }
  if (reasons.length > 0) throw invalid(reasons);
}

async function faultsOf(ctx: Context, path: string, rule: PostingRuleInput): Promise<Reason[]> {
  const reasons: Reason[] = [];
  const refs = rule.accepted_schemas ?? [];
  if (refs.length > 0) {
    const resolved = await resolveRefs(ctx.store.engine.reader, refs);
    refs.forEach((ref, index) => {
      if (resolved[index] !== undefined) return;
      const message = `there is no schema ${ref}; register it first`;
      reasons.push({
        instancePath: `${path}/accepted_schemas/${index}`,
        keyword: "accepted_schemas",
        message,
      });
    });
  }
  if (rule.inline_schema) {
    const faults = await ctx.validators.check(rule.inline_schema);
    reasons.push(
      ...faults.map((fault) => ({ ...fault, instancePath: `${path}/inline_schema${fault.instancePath}` })),
    );
  }
  return reasons;
}
