/** Prepares a post before its transaction. The post is either new, or was held and has been approved. */
import type { Input } from "../../contract/index.js";
import { completeRule, type GoverningRule, type Post } from "../../domain/posting.js";
import { handleSlug, wireId } from "../../kernel/names.js";
import { analyseInTurns, searchableText } from "../../store/fulltext/index.js";
import { isUnpinned } from "../../store/schemas.js";
import type { Sender } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { type PayloadVerdict, type UnvalidatedPost, verdictOn } from "./payload-verdict.js";

export interface PreparedPost extends Post {
  ctx: Context<Sender>;
  sender: Sender;
  /** Search terms of the text and payload. Empty for a direct message, because search ignores those. */
  terms: string;
  /** Context of the trace that sends the post, if any. */
  traceparent: string | undefined;
  /** The payload's validation result. Undefined until the payload is validated. */
  verdict: PayloadVerdict | undefined;
}

/** Returns the post with its search terms. Computing them in a transaction would block other writes. */
export async function toPost(ctx: Context<Sender>, input: Input<"wires.send">): Promise<PreparedPost> {
  const { caller } = ctx;
  const toSpace = input.to.startsWith("#") ? input.to.slice(1) : null;
  const toHandle = toSpace === null ? handleSlug(input.to) : null;
  const { text = null, payload = null } = input;
  return {
    ctx,
    sender: caller,
    target: toSpace === null ? `@${toHandle}` : `#${toSpace}`,
    toHandle,
    toSpace,
    text,
    payload,
    replyTo: input.reply_to === undefined ? null : wireId(ctx.baseUrl, input.reply_to),
    replyRule: input.reply_rule ? completeRule(input.reply_rule) : null,
    subjects: [],
    terms: toSpace === null ? "" : await analyseInTurns(caller.account.id, searchableText(text, payload)),
    traceparent: ctx.record.trace?.callerContext,
    verdict: undefined,
  };
}

/** Estimates how many characters a post stores and indexes. */
export function charactersOf({ text, payload, terms, replyRule }: PreparedPost): number {
  const lengthOf = (value: unknown) => (value === null ? 0 : JSON.stringify(value).length);
  return (text?.length ?? 0) + lengthOf(payload) + lengthOf(replyRule) + terms.length;
}

/**
 * Returns the post with its payload validated. Call this outside transactions, because a slow schema would
 * block other writes.
 */
export async function validatePayload(post: PreparedPost, governing: GoverningRule): Promise<PreparedPost> {
  const subjects = governing.rule.accepted_schemas.filter(isUnpinned);
  return { ...post, subjects, verdict: await verdictOn(post.ctx, post.payload, governing) };
}

/**
 * Validates the payload under the rule that the transaction loaded. Resolves the schema refs again, because
 * the cached versions may be stale.
 */
export function revalidatePayload(post: PreparedPost, { governing }: UnvalidatedPost): Promise<PreparedPost> {
  post.ctx.predictedRules.invalidateRefs(governing);
  return validatePayload(post, governing);
}
