/** A wire before it is stored: either a new post, or a held post that a human has approved. */
import type { Input } from "../../contract/index.js";
import type { PostingRule } from "../../contract/shapes.js";
import { completeRule, type GoverningRule, type Post } from "../../domain/posting.js";
import { handleSlug, wireId } from "../../kernel/names.js";
import { analyseInTurns, searchableText } from "../../store/fulltext/index.js";
import { isUnpinned } from "../../store/schemas.js";
import type { PostQuery } from "../../store/wires/post-facts.js";
import type { Sender } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { type PayloadVerdict, type UnvalidatedPost, verdictOn } from "./payload-verdict.js";

export interface Draft {
  ctx: Context<Sender>;
  /** Properties of the wire that the posting rules check. */
  post: Post;
  /** Slugs and ids of the rows that the transaction must load. */
  query: PostQuery;
  text: string | null;
  /** Null if the wire has no payload. */
  payload: unknown;
  /**
   * The terms of the text and the payload that are indexed for full-text search. Empty for a direct message.
   */
  terms: string;
  replyRule: PostingRule | null;
  /** The context of the trace in which the wire is sent; undefined if there is none. */
  traceparent: string | undefined;
  /** Result of validating the payload. Undefined until the payload is validated. */
  verdict: PayloadVerdict | undefined;
}

/**
 * Returns the draft of a post, with its search terms, because computing them in a transaction would block
 * other writes.
 */
export async function toDraft(ctx: Context<Sender>, input: Input<"wires.send">): Promise<Draft> {
  const { caller } = ctx;
  const toSpace = input.to.startsWith("#");
  const to = toSpace ? input.to.slice(1) : handleSlug(input.to);
  const target = toSpace ? `#${to}` : `@${to}`;
  const text = input.text ?? null;
  const payload = input.payload ?? null;
  return {
    ctx,
    post: {
      sender: caller,
      to,
      toSpace,
      target,
      hasText: input.text !== undefined,
      hasPayload: input.payload !== undefined,
      isReply: input.reply_to !== undefined,
      carriesReplyRule: input.reply_rule !== undefined,
    },
    query: {
      sender: { pk: caller.pk, slug: caller.slug, account: caller.account.pk },
      target,
      toHandle: toSpace ? null : to,
      toSpace: toSpace ? to : null,
      replyTo: input.reply_to === undefined ? null : wireId(ctx.baseUrl, input.reply_to),
      subjects: [],
    },
    text,
    payload,
    terms: toSpace ? await analyseInTurns(caller.account.id, searchableText(text, payload)) : "",
    replyRule: input.reply_rule ? completeRule(input.reply_rule) : null,
    traceparent: ctx.record.trace?.callerContext,
    verdict: undefined,
  };
}

/** Returns approximately how many characters a post stores and indexes. */
export function charactersOf({ text, payload, terms, replyRule }: Draft): number {
  const lengthOf = (value: unknown) => (value === null ? 0 : JSON.stringify(value).length);
  return (text?.length ?? 0) + lengthOf(payload) + lengthOf(replyRule) + terms.length;
}

/**
 * Validates a payload under the rule that the transaction has loaded. Resolves the schema refs again, because
 * cached versions may be stale.
 */
export function revalidatePayload(draft: Draft, { governing }: UnvalidatedPost): Promise<Draft> {
  draft.ctx.predictedRules.invalidateRefs(governing);
  return validatePayload(draft, governing);
}

/**
 * Returns the draft with the result of validating its payload. Must be called outside transactions.
 */
export async function validatePayload(draft: Draft, governing: GoverningRule): Promise<Draft> {
  const subjects = governing.rule.accepted_schemas.filter(isUnpinned);
  const verdict = await verdictOn(draft.ctx, draft.payload, governing);
  return { ...draft, verdict, query: { ...draft.query, subjects } };
}
