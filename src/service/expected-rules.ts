/**
 * Which rule governed the last post of a kind. A payload is validated under it at once, while the transaction that stores the
 * post finds out which rule really governs it: where the guess was right, and it nearly always is, one transaction suffices.
 *
 * Only who got as far as that rule with its own last post is given a guess. Else how long an answer takes would tell strangers of a
 * space that they may not see, and whoever is out of limits could have schemas run without end.
 */
import type { Post } from "../domain/posting.js";
import type { Governing } from "../domain/posting-rules.js";

/** Rules that are kept: with inline schemas of 32 KB each, 32 MB at the most. */
const KEPT_RULES = 1_000;
/** Senders that are kept, each with a kind of post: a few megabytes. */
const KEPT_SENDERS = 20_000;

export class ExpectedRules {
  /** By kind of post; the last learnt is the last. */
  private readonly rules = new Map<string, Governing>();
  /** Sender and kind of those who may be given a guess. */
  private readonly admitted = new Set<string>();

  /** Pinned refs by the refs that rules name, as they last resolved; like the rules, they are checked by the transaction. */
  private readonly refs = new Map<string, string>();

  /** The refs of a rule, pinned, where all of them are expected to resolve as they did last. */
  refsOf({ rule }: Governing): string[] | undefined {
    const pinned = rule.accepted_schemas.map((ref) => this.refs.get(ref));
    return pinned.every((ref) => ref !== undefined) ? pinned : undefined;
  }

  /** How the refs of a rule have just resolved. */
  learnRefs({ rule }: Governing, pinned: readonly string[]): void {
    for (const [n, ref] of rule.accepted_schemas.entries()) this.refs.set(ref, pinned[n]!);
    while (this.refs.size > KEPT_RULES) this.refs.delete(this.refs.keys().next().value!);
  }

  /** They resolve differently now, perhaps. */
  forgetRefs({ rule }: Governing): void {
    for (const ref of rule.accepted_schemas) this.refs.delete(ref);
  }

  of(post: Post): Governing | undefined {
    return this.admitted.has(senderOf(post)) ? this.rules.get(kindOf(post)) : undefined;
  }

  /** The rule that governed a post which nothing but its payload could still refuse. */
  learn(post: Post, governing: Governing): void {
    const kind = kindOf(post);
    this.rules.delete(kind);
    this.rules.set(kind, governing);
    if (this.rules.size > KEPT_RULES) this.rules.delete(this.rules.keys().next().value!);
    this.admitted.add(senderOf(post));
    if (this.admitted.size > KEPT_SENDERS) this.admitted.delete(this.admitted.values().next().value!);
  }

  /** A post was refused, by whatever it was: the sender's next one is judged before its payload is looked at. */
  refused(post: Post): void {
    this.admitted.delete(senderOf(post));
  }
}

/** Replies of one space or inbox mostly have one rule, unless their parents carry rules of their own. */
function kindOf({ target, isReply }: Post): string {
  return isReply ? `${target} reply` : target;
}

function senderOf(post: Post): string {
  return `${post.sender.pk} ${kindOf(post)}`;
}
