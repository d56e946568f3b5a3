import type { Reason } from "../../contract/errors.js";

/**
 * Maximum number of reported reasons. Without this limit, nested `allOf`s could multiply them exponentially.
 */
export const MAX_REASONS = 100;
/**
 * Maximum total length of paths and messages, in UTF-16 code units. The first reason does not count. A path
 * contains property names, so each reason can be longer than the document.
 */
const MAX_LENGTH = 65_536;

export class ReasonList {
  readonly reasons: Reason[] = [];
  readonly #texts = new Set<string>();
  #length = 0;

  /** Returns the first reasons, up to the limits. At least one is returned unless `reasons` is empty. */
  static firstOf(reasons: Iterable<Reason>): Reason[] {
    const list = new ReasonList();
    for (const reason of reasons) if (!list.add(reason)) break;
    return list.reasons;
  }

  /** Adds a reason, unless the list already contains it. Returns false if the list is full. */
  add(reason: Reason): boolean {
    const text = JSON.stringify([reason.instancePath, reason.keyword, reason.message]);
    if (this.#texts.has(text)) return true;
    this.#texts.add(text);
    if (this.reasons.length > 0) this.#length += reason.instancePath.length + reason.message.length;
    if (this.reasons.length >= MAX_REASONS || this.#length > MAX_LENGTH) return false;
    this.reasons.push(reason);
    return true;
  }
}
