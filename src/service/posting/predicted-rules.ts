/**
 * The rule that governed the last post of a kind. A payload is validated under it at once; the transaction that stores the post
 * then finds which rule governs it. The prediction is nearly always right, which saves a transaction for each payload.
 *
 * Only the sender of the last accepted post of a kind gets a prediction for the next. Otherwise response times would tell strangers of a
 * private space, and a sender that is out of limits could have schemas run without end.
 */
import { LRUCache } from "lru-cache";
import type { Governing, Post } from "../../domain/posting.js";

export class PredictedRules {
  /** By kind of post. With inline schemas of 32 KB each: 32 MB. */
  private readonly rules = new LRUCache<string, Governing>({ max: 1_000 });
  /** Sender and kind of the posts that get a prediction: a few megabytes. */
  private readonly admitted = new LRUCache<string, true>({ max: 20_000 });
  /** Pinned refs by the refs that rules name, as they last resolved. The transaction checks them, too. */
  private readonly refs = new LRUCache<string, string>({ max: 1_000 });

  ruleFor(post: Post): Governing | undefined {
    return this.admitted.get(senderOf(post)) && this.rules.get(kindOf(post));
  }

  /** Notes the rule under which a post was accepted. */
  learn(post: Post, governing: Governing): void {
    this.rules.set(kindOf(post), governing);
    this.admitted.set(senderOf(post), true);
  }

  /** Predicts nothing for the sender's next post of this kind. */
  forget(post: Post): void {
    this.admitted.delete(senderOf(post));
  }

  /** The pinned refs of a rule, if all of them are known. */
  refsOf({ rule }: Governing): string[] | undefined {
    const pinned = rule.accepted_schemas.map((ref) => this.refs.get(ref));
    return pinned.every((ref) => ref !== undefined) ? pinned : undefined;
  }

  learnRefs({ rule }: Governing, pinned: readonly string[]): void {
    for (const [n, ref] of rule.accepted_schemas.entries()) this.refs.set(ref, pinned[n]!);
  }

  forgetRefs({ rule }: Governing): void {
    for (const ref of rule.accepted_schemas) this.refs.delete(ref);
  }
}

/** Replies in one space or inbox mostly have one rule, unless their parents carry rules of their own. */
function kindOf({ target, isReply }: Post): string {
  return isReply ? `${target} reply` : target;
}

function senderOf(post: Post): string {
  return `${post.sender.pk} ${kindOf(post)}`;
}
