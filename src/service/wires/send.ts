/** POST /wires: checks what needs no transaction, and hands the post to the batch (post-batch.ts). */
import { invalid } from "../../contract/errors.js";
import { StoreUnavailable } from "../../store/engine.js";
import { checkRules } from "../check-rule.js";
import type { Agent, Context } from "../context.js";
import { type Draft, toDraft, withVerdict } from "../draft.js";
import type { BatchedHandler, Outcome } from "../handler.js";
import { postBatch } from "../post-batch.js";
import { validatePayload } from "../validate-payload.js";

export const sendWire: BatchedHandler<"wires.send"> = {
  kind: "batched",
  async run(ctx, input, idempotency) {
    if (input.text === undefined && input.payload === undefined) {
      throw invalid({
        instancePath: "",
        keyword: "required",
        message: "a wire needs `text`, `payload`, or both",
      });
    }
    await checkRules(ctx, { reply_rule: input.reply_rule });
    return post(ctx, toDraft(ctx, input, idempotency));
  },
};

/** Rules that may change while one payload is being validated; each time someone else's change got through. */
const MAX_ATTEMPTS = 10;

async function post(ctx: Context<Agent>, given: Draft): Promise<Outcome> {
  let draft = given;
  let governing = draft.payload === null ? undefined : ctx.expectedRules.of(draft.post);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (governing) draft = withVerdict(draft, await validatePayload(ctx, governing, draft.payload));
    const result = await ctx.store.engine.writeBatched(postBatch, draft);
    if (!("governing" in result)) {
      if (result.error) ctx.expectedRules.refused(draft.post);
      return result;
    }
    governing = result.governing;
    ctx.expectedRules.forgetRefs(governing);
    ctx.expectedRules.learn(draft.post, governing);
  }
  throw new StoreUnavailable("the governing rule keeps changing");
}
