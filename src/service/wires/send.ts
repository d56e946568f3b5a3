/**
 * POST /wires. Validates the payload under a predicted posting rule before the transaction, because slow
 * schemas would block other writes. The transaction, which other posts share, loads the actual rule and
 * decides whether to accept the post.
 */
import { invalid } from "../../contract/errors.js";
import { type Input, type Output, operation } from "../../contract/index.js";
import { type CallerUsage, limitCounts, rateLimitError } from "../../domain/rate-limits.js";
import { handleSlug, wireUri } from "../../kernel/names.js";
import { encodeJson } from "../../kernel/raw-json.js";
import { inOneRoundTrip } from "../../store/engine/selects.js";
import { countLookup } from "../../store/engine/statistics.js";
import { WIRE_LIMITS, wireUsage } from "../../store/limits/usage.js";
import { groupedWrite, type WriteHandler } from "../pipeline/handler.js";
import { addBlockingTimes, loadAccountUsage, loadUsage } from "../pipeline/rate-limits.js";
import { lockForCalls } from "../pipeline/transaction-locks.js";
import {
  charactersOf,
  type PreparedPost,
  revalidatePayload,
  toPost,
  UnvalidatedPost,
  validatePayload,
} from "../posting/post.js";
import {
  decide,
  loadFacts,
  type PostEffect,
  type PostFacts,
  postLocks,
  storeEffects,
} from "../posting/send-post.js";
import { validateRules } from "../posting/validate-rules.js";
import { awaitReply } from "./await-reply.js";

const DEFINITION = operation("wires.send");

interface SendFacts extends PostFacts {
  /** Undefined without mentions. */
  mentionUsage: CallerUsage | undefined;
}

const MENTION_LIMITS = ["mentions_per_hour"] as const;

const send = groupedWrite<"wires.send", PreparedPost, SendFacts, PostEffect>("wires.send", {
  characters: charactersOf,

  async prepare(ctx, input, stale) {
    assertHasContent(input);
    assertClaimOfParent(input);
    assertMentions(input);
    if (input.reply_rule) await validateRules(ctx, { reply_rule: input.reply_rule });
    const post = await toPost(ctx, input);
    if (post.payload === null) return post;
    if (stale instanceof UnvalidatedPost) return revalidatePayload(post, stale);
    const predicted = ctx.predictedRules.predict(post);
    countLookup(ctx.store.statistics.caches.predicted_rules, predicted);
    return predicted ? validatePayload(post, predicted) : post;
  },

  async load(tx, trip, calls, at) {
    const posts = calls.map(({ prepared }) => prepared);
    const senders = posts.map(({ sender }) => sender);
    const { limits } = posts[0]!.ctx;
    const mentioning = posts.filter(({ mentions }) => mentions.length > 0);
    const [, facts, ofAccounts, mentionUsage] = await inOneRoundTrip([
      lockForCalls(tx, DEFINITION, calls, posts.map(postLocks)),
      loadFacts(trip, posts, at),
      loadAccountUsage(trip, limits, WIRE_LIMITS, senders, at),
      loadUsage(
        trip,
        limits,
        MENTION_LIMITS,
        mentioning.map(({ sender }) => sender),
        at,
        mentioning.map(({ mentions }) => mentions.length),
      ),
    ]);
    const usage = facts.map(({ log }, n) => ({
      usage: WIRE_LIMITS.map((limit) => wireUsage(log, limit)),
      accountUsage: ofAccounts[n]!,
    }));
    await addBlockingTimes(tx, limits, WIRE_LIMITS, senders, usage, at);
    return facts.map((found, n) => ({
      ...found,
      usage: usage[n]!,
      mentionUsage: mentionUsage[mentioning.indexOf(posts[n]!)],
    }));
  },

  limitError({ ctx, sender, mentions }, { mentionUsage }, earlier, at) {
    if (!mentionUsage) return null;
    const usedBy = (isCounted: (post: PreparedPost) => boolean) =>
      earlier.reduce((sum, effect) => sum + (isCounted(effect.post) ? effect.mentions : 0), 0);
    const added = {
      ofHandle: usedBy((post) => post.sender.pk === sender.pk) + mentions.length - 1,
      ofAccount: usedBy((post) => post.sender.account.pk === sender.account.pk) + mentions.length - 1,
    };
    return rateLimitError(limitCounts(ctx.limits, MENTION_LIMITS, mentionUsage, added, at), at);
  },

  decide(post, facts, earlier, at) {
    const effect = decide(post, facts, earlier, at);
    const { wire, status, accepts, recipient } = effect;
    const answer = {
      id: wire.id,
      uri: wireUri(post.ctx.baseUrl, wire.id),
      thread_id: facts.parent?.threadId ?? wire.id,
      ...(recipient && { recipient }),
      ...(status === "held" ? { status } : accepts && { accepted_knock: accepts.knock }),
    };
    return { answer, effect };
  },

  async store(tx, accepted, refused, at) {
    for (const { post, governing } of accepted)
      if (post.verdict) post.ctx.predictedRules.save(post, governing);
    // After a refusal, a sender gets no prediction until its next post is accepted.
    for (const post of refused) if (post.verdict) post.ctx.predictedRules.invalidate(post);
    await storeEffects(tx, accepted, at);
  },
});

export const sendWire: WriteHandler<"wires.send"> = {
  ...send,

  async complete(ctx, { wait_for_reply: wait }, body) {
    if (wait === undefined) return body;
    const { status, ...sent } = JSON.parse(body) as Output<"wires.send">;
    // A repeated request for a held wire returns an existing reply, but does not wait for a new reply.
    const reply = await awaitReply(ctx, sent.id, status === undefined ? wait : 0);
    // `status` must stay the last field: `successStatus` looks for it at the end of the body.
    return encodeJson({ ...sent, reply, status });
  },
};

function assertMentions({ to, mentions = [] }: Input<"wires.send">): void {
  const slugs = mentions.map(handleSlug);
  const message =
    slugs.length > 0 && !to.startsWith("#")
      ? "only a wire in a space can mention handles"
      : new Set(slugs).size < slugs.length && "mentions must not name a handle twice";
  if (message) throw invalid({ instancePath: "/mentions", keyword: "mentions", message });
}

function assertHasContent({ text, payload }: Input<"wires.send">): void {
  if (text !== undefined || payload !== undefined) return;
  throw invalid({
    instancePath: "",
    keyword: "required",
    message: "a wire needs `text`, `payload`, or both",
  });
}

function assertClaimOfParent({ to, reply_to, claim_token, done }: Input<"wires.send">): void {
  const field = claim_token !== undefined ? "claim_token" : done ? "done" : undefined;
  if (field === undefined) return;
  if (claim_token !== undefined && reply_to !== undefined && to.startsWith("#")) return;
  const message =
    field === "done" ? "`done` needs a `claim_token`" : "`claim_token` needs a reply (`reply_to`) in a space";
  throw invalid({ instancePath: `/${field}`, keyword: field, message });
}
