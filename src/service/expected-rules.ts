/**
 * Which rule governed the last post of a kind. A payload is validated under it at once, while the transaction that stores the
 * post finds out which rule really governs it: where the guess was right, and it nearly always is, one transaction suffices.
 */
import type { Post } from "../domain/posting.js";
import type { Governing } from "../domain/posting-rules.js";

/** Rules that are kept: with inline schemas of 32 KB each, 32 MB at the most. */
const KEPT = 1_000;

export class ExpectedRules {
  /** The last learnt is the last. */
  private readonly rules = new Map<string, Governing>();

  of(post: Post): Governing | undefined {
    return this.rules.get(kindOf(post));
  }

  learn(post: Post, governing: Governing): void {
    const kind = kindOf(post);
    this.rules.delete(kind);
    this.rules.set(kind, governing);
    if (this.rules.size > KEPT) this.rules.delete(this.rules.keys().next().value!);
  }
}

/** Replies of one space or inbox mostly have one rule, unless their parents carry rules of their own. */
function kindOf({ target, isReply }: Post): string {
  return isReply ? `${target} reply` : target;
}
