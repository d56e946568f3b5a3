/**
 * Predicts a post's posting rule. The payload can then be validated before the transaction, which loads the
 * actual rule. The prediction is the rule of the last post, or the last reply, to the same target. It is
 * nearly always right.
 *
 * A sender gets predictions only if its own last such post was accepted. Otherwise response times could
 * reveal a private space, and a sender over its rate limit could run expensive schemas without end.
 */
import { LRUCache } from "lru-cache";
import type { GoverningRule } from "../../domain/posting.js";

interface Post {
  sender: { pk: number };
  target: string;
  replyTo: string | null;
}

export class PredictedRules {
  /**
   * The last known rule for each kind of post. The entry limit bounds memory, because parsed inline schemas
   * are many times larger than their JSON.
   */
  private readonly rules = new LRUCache<string, GoverningRule>({ max: 1_000 });
  /** The senders that may get predictions. A key consists of a sender and a kind of post. */
  private readonly admitted = new LRUCache<string, true>({ maxSize: 20_000, sizeCalculation: () => 1 });
  /**
   * The version that each schema ref last resolved to, such as `@ann/order` → `@ann/order@2`. Stale versions
   * do no harm, because the transaction resolves the refs again.
   */
  private readonly refs = new LRUCache<string, string>({ max: 1_000 });

  predict(post: Post): GoverningRule | undefined {
    return this.admitted.get(senderOf(post)) && this.rules.get(kindOf(post));
  }

  save(post: Post, governing: GoverningRule): void {
    this.rules.set(kindOf(post), governing);
    this.admitted.set(senderOf(post), true);
  }

  /** Disables predictions for the sender's posts of this kind until `save` enables them again. */
  invalidate(post: Post): void {
    this.admitted.delete(senderOf(post));
  }

  cachedRefs({ rule }: GoverningRule): string[] | undefined {
    const pinned = rule.accepted_schemas.map((ref) => this.refs.get(ref));
    return pinned.every((ref) => ref !== undefined) ? pinned : undefined;
  }

  saveRefs({ rule }: GoverningRule, pinned: readonly string[]): void {
    for (const [n, ref] of rule.accepted_schemas.entries()) this.refs.set(ref, pinned[n]!);
  }

  invalidateRefs({ rule }: GoverningRule): void {
    for (const ref of rule.accepted_schemas) this.refs.delete(ref);
  }
}

/**
 * Returns the kind of a post, as a cache key. All replies in a space or inbox are of one kind, because most
 * of them have the same rule.
 */
function kindOf({ target, replyTo }: Post): string {
  return replyTo !== null ? `${target} reply` : target;
}

function senderOf(post: Post): string {
  return `${post.sender.pk} ${kindOf(post)}`;
}
