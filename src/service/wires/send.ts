/**
 * POST /wires. A payload is validated before the transaction under the rule that is predicted to govern it; the transaction loads
 * what the post rests on, decides by the rules of domain/posting.ts, and stores.
 */
import { invalid } from "../../contract/errors.js";
import type { Input } from "../../contract/index.js";
import { batchedWrite } from "../pipeline/handler.js";
import { checkRules } from "../posting/check-rule.js";
import { type Draft, toDraft } from "../posting/draft.js";
import { loadPosts, locksOf, PostBatch } from "../posting/post-batch.js";
import { UnvalidatedPost, validateAnew, validatePayload } from "../posting/verdict.js";

export const sendWire = batchedWrite<"wires.send", Draft>("wires.send", {
  async prepare(ctx, input, stale) {
    assertHasContent(input);
    if (input.reply_rule) await checkRules(ctx, { reply_rule: input.reply_rule });
    const draft = toDraft(ctx, input);
    if (draft.payload === null) return draft;
    if (stale instanceof UnvalidatedPost) return validateAnew(draft, stale);
    const predicted = ctx.predictedRules.ruleFor(draft.post);
    return predicted ? validatePayload(draft, predicted) : draft;
  },

  locks: ({ prepared }) => locksOf(prepared),

  load: (session, calls, at) => loadPosts(session, draftsOf(calls), at),

  async begin(tx, calls, loaded) {
    const posts = await PostBatch.begin(tx, draftsOf(calls), loaded);
    return {
      decide: ({ prepared }, n) => posts.decide(prepared, n),
      store: () => posts.store(),
    };
  },
});

function draftsOf(calls: readonly { prepared: Draft }[]): Draft[] {
  return calls.map(({ prepared }) => prepared);
}

function assertHasContent({ text, payload }: Input<"wires.send">): void {
  if (text !== undefined || payload !== undefined) return;
  throw invalid({
    instancePath: "",
    keyword: "required",
    message: "a wire needs `text`, `payload`, or both",
  });
}
