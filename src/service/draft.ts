/** A post on its way: what was sent, and what is looked up for it. */
import type { Input } from "../contract/index.js";
import type { PostingRule } from "../contract/shapes.js";
import type { Post } from "../domain/posting.js";
import { completeRule } from "../domain/posting-rules.js";
import { handleSlug } from "../kernel/slug.js";
import type { PostQuery } from "../store/posts.js";
import { isUnpinned } from "../store/schemas.js";
import type { Context, Sender } from "./context.js";
import type { IdempotencyRequest } from "./handler.js";
import { rememberedKey } from "./idempotency.js";
import { wireId } from "./uris.js";
import type { Verdict } from "./validate-payload.js";

export interface Draft {
  ctx: Context<Sender>;
  /** What the rules judge. */
  post: Post;
  /** What is looked up. */
  query: PostQuery;
  text: string | null;
  /** Null without one, as in the stored wire. */
  payload: unknown;
  replyRule: PostingRule | null;
  idempotency: IdempotencyRequest | undefined;
  /** What the payload was found valid under, once it has been validated. */
  verdict: Verdict | undefined;
}

/** The draft with what its payload was found to be. */
export function withVerdict(draft: Draft, verdict: Verdict): Draft {
  const subjects = verdict.governing.rule.accepted_schemas.filter(isUnpinned);
  return { ...draft, verdict, query: { ...draft.query, subjects } };
}

export function toDraft(
  ctx: Context<Sender>,
  input: Input<"wires.send">,
  idempotency: IdempotencyRequest | undefined,
): Draft {
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
      isReply: input.reply_to !== undefined,
      carriesReplyRule: input.reply_rule !== undefined,
    },
    query: {
      sender: { pk: caller.pk, slug: caller.slug, account: caller.account.pk },
      target,
      toHandle: toSpace ? null : to,
      toSpace: toSpace ? to : null,
      replyTo: input.reply_to === undefined ? null : wireId(ctx.baseUrl, input.reply_to),
      idempotency: idempotency ? rememberedKey({ id: "wires.send" }, ctx, idempotency) : null,
      subjects: [],
    },
    text: input.text ?? null,
    payload: input.payload ?? null,
    replyRule: input.reply_rule ? completeRule(input.reply_rule) : null,
    idempotency,
    verdict: undefined,
  };
}
