/**
 * Prepares a post before its transaction: computes its search terms, and validates its payload against the
 * schemas of a posting rule. The post is either new, or was held and has been approved.
 */

import { WireroomError } from "../../contract/errors.js";
import type { Input } from "../../contract/index.js";
import { summaryOf } from "../../domain/json-schema/values.js";
import {
  completeRule,
  type GoverningRule,
  namesSchemas,
  type Post,
  type ReplyClaim,
  ruleName,
} from "../../domain/posting.js";
import { monotonicMs } from "../../kernel/clock.js";
import { canonicalJson, sha256 } from "../../kernel/hash.js";
import { handleSlug, schemaUrl, wireId } from "../../kernel/names.js";
import { analyseInTurns, searchableText } from "../../store/fulltext/index.js";
import { batchedRefResolution, isUnpinned } from "../../store/schemas.js";
import { findAttempt } from "../claims/claims.js";
import { StalePreparation } from "../pipeline/call.js";
import type { Sender } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import type { Candidate } from "../validation/index.js";

export interface PreparedPost extends Post {
  ctx: Context<Sender>;
  sender: Sender;
  /** Null for a direct message that was not held; see `MessageIndexing`. */
  terms: string | null;
  traceparent: string | undefined;
  /** Undefined until the payload is validated. */
  verdict: PayloadVerdict | undefined;
}

/** Returns the post with its search terms. Computing them in a transaction would block other writes. */
export async function toPost(
  ctx: Context<Sender>,
  input: Input<"wires.send">,
  wasHeld = false,
): Promise<PreparedPost> {
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
    claim: claimOf(ctx, input),
    mentions: (input.mentions ?? []).map(handleSlug),
    subjects: [],
    terms:
      toSpace === null && !wasHeld
        ? null
        : await analyseInTurns(caller.account.id, searchableText(text, payload)),
    traceparent: ctx.record.trace?.callerContext,
    verdict: undefined,
  };
}

function claimOf(
  ctx: Context<Sender>,
  { reply_to, claim_token: token, done = false }: Input<"wires.send">,
): ReplyClaim | null {
  if (token === undefined || reply_to === undefined) return null;
  return { attempt: findAttempt(ctx, wireId(ctx.baseUrl, reply_to), token), finishes: done };
}

export function charactersOf({ text, payload, terms, replyRule }: PreparedPost): number {
  const lengthOf = (value: unknown) => (value === null ? 0 : JSON.stringify(value).length);
  return (text?.length ?? 0) + lengthOf(payload) + lengthOf(replyRule) + (terms?.length ?? 0);
}

/**
 * Returns the post with its payload validated. Call this outside transactions, because a slow schema would
 * block other writes.
 */
export async function validatePayload(post: PreparedPost, governing: GoverningRule): Promise<PreparedPost> {
  const subjects = governing.rule.accepted_schemas.filter(isUnpinned);
  return { ...post, subjects, verdict: await verdictOn(post, governing) };
}

/**
 * Validates the payload under the rule that the transaction loaded. Resolves the schema refs again, because
 * the cached versions may be stale.
 */
export function revalidatePayload(post: PreparedPost, { governing }: UnvalidatedPost): Promise<PreparedPost> {
  post.ctx.predictedRules.invalidateRefs(governing);
  return validatePayload(post, governing);
}

export interface PayloadVerdict {
  /**
   * Ref and version of the schema that accepted the payload, such as `@ann/order@2`. Null if that schema is
   * inline or the rule has no schemas.
   */
  schemaRef: string | null;
  /**
   * SCHEMA_VALIDATION_FAILED with the closest schema's errors. Null if a schema accepts the payload, or the
   * rule has no schemas.
   */
  refusal: WireroomError | null;
  governing: GoverningRule;
  refs: readonly string[];
}

/**
 * Returns whether the payload was validated under the current posting rule and schema versions.
 * @param versions the latest version of each schema subject in the rule
 */
export function isVerdictCurrent(
  { governing: then, refs }: PayloadVerdict,
  governing: GoverningRule,
  versions: ReadonlyMap<string, string>,
): boolean {
  return (
    isSame(governing, then) &&
    governing.rule.accepted_schemas.every((ref, n) => (versions.get(ref) ?? ref) === refs[n])
  );
}

function isSame(one: GoverningRule, other: GoverningRule): boolean {
  if (one.source !== other.source) return false;
  // Compare the references first, because the store usually returns the same object for the same rule.
  return one.rule === other.rule || canonicalJson(one.rule) === canonicalJson(other.rule);
}

/** Thrown if the payload was not validated under the posting rule that the transaction loaded. */
export class UnvalidatedPost extends StalePreparation {
  constructor(readonly governing: GoverningRule) {
    super("the payload was not validated under the rule that governs it now");
  }
}

async function verdictOn(post: PreparedPost, governing: GoverningRule): Promise<PayloadVerdict> {
  const { ctx, payload } = post;
  const refs = ctx.predictedRules.cachedRefs(governing) ?? (await pinnedRefs(ctx, governing));
  if (!namesSchemas(governing.rule)) return { schemaRef: null, refusal: null, governing, refs };
  const candidates: Candidate[] = await Promise.all(
    refs.map(async (ref) => ({ key: ref, document: await ctx.documents.get(ref) })),
  );
  const inline = governing.rule.inline_schema;
  if (inline) candidates.push({ key: `inline:${sha256(canonicalJson(inline))}`, document: inline });
  const startedMs = ctx.record.trace && monotonicMs();
  const found = await ctx.validators.validate(ctx.caller.account.id, candidates, payload);
  if (startedMs !== undefined) ctx.record.trace?.record("validate", startedMs);
  if ("accepted" in found) return { schemaRef: refs[found.accepted] ?? null, refusal: null, governing, refs };
  const schema_ref = refs[found.rejected];
  const rule = ruleName(post, governing);
  const schema = schema_ref ? `${schema_ref} (${rule})` : `the inline schema of ${rule}`;
  const refusal = new WireroomError(
    "SCHEMA_VALIDATION_FAILED",
    `the payload is not valid under ${schema}: ${summaryOf(found.errors)}`,
    {
      rule_source: governing.source,
      ...(schema_ref && { schema_ref, schema_url: schemaUrl(ctx.baseUrl, schema_ref) }),
      errors: found.errors,
    },
  );
  return { schemaRef: null, refusal, governing, refs };
}

/** Adds the latest version to each ref that has none: `@alice/quote` becomes `@alice/quote@2`. */
async function pinnedRefs(
  { store, predictedRules }: Context,
  governing: GoverningRule,
): Promise<readonly string[]> {
  const refs = await Promise.all(
    governing.rule.accepted_schemas.map(async (ref) =>
      isUnpinned(ref) ? ((await store.engine.readBatched(batchedRefResolution, ref)) ?? ref) : ref,
    ),
  );
  predictedRules.saveRefs(governing, refs);
  return refs;
}
