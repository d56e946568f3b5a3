/** A wire (message) before it is stored: either a new post, or a held post that a human has approved. */
import type { Input } from "../../contract/index.js";
import type { PostingRule } from "../../contract/shapes.js";
import { completeRule, type Post } from "../../domain/posting.js";
import { handleSlug, wireId } from "../../kernel/names.js";
import type { PostQuery } from "../../store/wires/post-facts.js";
import type { Context, Sender } from "../pipeline/context.js";
import type { PayloadVerdict } from "./payload-verdict.js";

export interface Draft {
  ctx: Context<Sender>;
  /** Properties of the wire (message) that the posting rules check. */
  post: Post;
  /** Slugs and ids of the rows that the transaction must load. */
  query: PostQuery;
  text: string | null;
  /** Null if the wire has no payload. */
  payload: unknown;
  replyRule: PostingRule | null;
  /** The context of the trace in which the wire is sent; undefined if there is none. */
  traceparent: string | undefined;
  /** Result of validating the payload. Undefined until the payload is validated. */
  verdict: PayloadVerdict | undefined;
}

export function toDraft(ctx: Context<Sender>, input: Input<"wires.send">): Draft {
  const { caller } = ctx;
  const toSpace = input.to.startsWith("#");
  const to = toSpace ? input.to.slice(1) : handleSlug(input.to);
  const target = toSpace ? `#${to}` : `@${to}`;
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
    text: input.text ?? null,
    payload: input.payload ?? null,
    replyRule: input.reply_rule ? completeRule(input.reply_rule) : null,
    traceparent: ctx.record.trace?.callerContext,
    verdict: undefined,
  };
}
