/** Validates the posting rules that a caller sets on a space, a handle or a reply. */
import { invalid, type Reason } from "../../contract/errors.js";
import type { PostingRuleInput } from "../../contract/shapes.js";
import { ReasonList } from "../../domain/json-schema/reason-list.js";
import { resolveRefs } from "../../store/schemas.js";
import type { Context } from "../pipeline/context.js";

/**
 * Throws 400 if a schema ref is unknown or an inline schema is invalid
 * (docs/specification/rules.md#setting-a-rule). This can run before the transaction: schemas are never
 * deleted, so a ref that exists now will still exist then.
 * @param rules the rules by field name
 */
export async function validateRules(
  ctx: Context,
  rules: Readonly<Record<string, PostingRuleInput | undefined>>,
): Promise<void> {
  const reasons: Reason[] = [];
  for (const [field, rule] of Object.entries(rules)) {
    if (rule) reasons.push(...(await faultsOf(ctx, `/${field}`, rule)));
  }
  if (reasons.length > 0) throw invalid(ReasonList.firstOf(reasons));
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
    const faults = await ctx.validators.check(ctx.caller.account.id, rule.inline_schema);
    reasons.push(
      ...faults.map((fault) => ({ ...fault, instancePath: `${path}/inline_schema${fault.instancePath}` })),
    );
  }
  return reasons;
}
