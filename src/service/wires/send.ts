/**
 * POST /wires. Validates the payload before the transaction, under a predicted posting rule. The transaction
 * loads the target, the parent wire and the actual rules. `domain/posting.ts` decides whether the wire is
 * accepted.
 */
import { invalid } from "../../contract/errors.js";
import type { Input, Output } from "../../contract/index.js";
import { encodeJson } from "../../kernel/raw-json.js";
import { countLookup } from "../../store/engine/statistics.js";
import { batchedWrite } from "../pipeline/handler.js";
import { charactersOf, type Draft, revalidatePayload, toDraft, validatePayload } from "../posting/draft.js";
import { UnvalidatedPost } from "../posting/payload-verdict.js";
import { PostBatch, postBatchQueries, postLocks } from "../posting/post-batch.js";
import { validateRules } from "../posting/validate-rules.js";
import { awaitReply } from "./await-reply.js";

export const sendWire = batchedWrite<"wires.send", Draft>("wires.send", {
  async prepare(ctx, input, stale) {
    assertHasContent(input);
    if (input.reply_rule) await validateRules(ctx, { reply_rule: input.reply_rule });
    const draft = await toDraft(ctx, input);
    if (draft.payload === null) return draft;
    if (stale instanceof UnvalidatedPost) return revalidatePayload(draft, stale);
    const predicted = ctx.predictedRules.predict(draft.post);
    countLookup(ctx.store.statistics.caches.predicted_rules, predicted);
    return predicted ? validatePayload(draft, predicted) : draft;
  },

  locks: ({ prepared }) => postLocks(prepared),

  characters: ({ prepared }) => charactersOf(prepared),

  load: (session, calls, at) => postBatchQueries(session, draftsOf(calls), at),

  async begin(tx, calls, loaded) {
    const posts = await PostBatch.begin(tx, draftsOf(calls), loaded);
    return {
      decide: ({ prepared }, n) => posts.decide(prepared, n),
      store: () => posts.store(),
    };
  },

  async complete(ctx, { wait_for_reply: wait }, body) {
    if (wait === undefined) return body;
    const { status, ...sent } = JSON.parse(body) as Output<"wires.send">;
    // A repeated request for a wire that was held returns a reply that exists, but waits for none.
    const reply = await awaitReply(ctx, sent.id, status === undefined ? wait : 0);
    // `status` must be the last field (see `successStatus`).
    return encodeJson({ ...sent, reply, status });
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
