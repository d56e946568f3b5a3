/**
 * Predicts the posting rule of a post, so that its payload can be validated before the transaction that finds
 * the real rule. The prediction is the rule of the last post of the same kind. It is nearly always right,
 * which saves one transaction per payload.
 *
 * A sender gets a prediction only if its own last post of that kind was accepted. Otherwise response times
 * could reveal a private space, and a sender over its rate limit could run expensive schemas without end.
 */
import { LRUCache } from "lru-cache";
import type { GoverningRule } from "../../domain/posting.js";

/** The parts of a post that decide which rule is predicted. */
interface Post {
  sender: { pk: number };
  target: string;
  replyTo: string | null;
}

export class PredictedRules {
  /**
   * The last known rule of each kind of post. The rules take 440 MB at most, because the 32 KB of an inline
   * schema take up to 437 KB when they are parsed.
   */
  private readonly rules = new LRUCache<string, GoverningRule>({ max: 1_000 });
  /**
   * Senders, each with the kind of post for which rules are predicted. The cache takes at most a few
   * megabytes.
   */
  private readonly admitted = new LRUCache<string, true>({ max: 20_000 });
  /**
   * The version to which each schema ref was last resolved, such as `@ann/order` → `@ann/order@2`. It may be
   * stale, because the transaction resolves the refs again.
   */
  private readonly refs = new LRUCache<string, string>({ max: 1_000 });

  predict(post: Post): GoverningRule | undefined {
    return this.admitted.get(senderOf(post)) && this.rules.get(kindOf(post));
  }

  /** Saves the rule of an accepted post. */
  save(post: Post, governing: GoverningRule): void {
    this.rules.set(kindOf(post), governing);
    this.admitted.set(senderOf(post), true);
  }

  /** Disables the prediction for the sender's posts of this kind, until `save` enables it again. */
  invalidate(post: Post): void {
    this.admitted.delete(senderOf(post));
  }

  /**
   * Returns the rule's schema refs with their cached versions. Returns undefined if a version is not cached.
   */
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
 * Returns the kind of a post. All replies in a space or inbox are of the same kind, because most of them have
 * the same rule.
 */
function kindOf({ target, replyTo }: Post): string {
  return replyTo !== null ? `${target} reply` : target;
}

function senderOf(post: Post): string {
  return `${post.sender.pk} ${kindOf(post)}`;
}
