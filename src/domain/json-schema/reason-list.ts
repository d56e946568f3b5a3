import type { Reason } from "../../contract/errors.js";

/**
 * Maximum number of reported reasons. Without a limit, nested `allOf`s could multiply the reasons
 * exponentially.
 */
export const MAX_REASONS = 100;
/**
 * Maximum length of the paths and messages of all reasons but the first, in UTF-16 code units. A path
 * contains names of properties, so that each reason can be longer than the document.
 */
const MAX_LENGTH = 65_536;

/** The reasons of one error, as many as a response may contain. */
export class ReasonList {
  readonly reasons: Reason[] = [];
  #length = 0;

  /** Returns the first reasons: at least one, if there is any. */
  static firstOf(reasons: Iterable<Reason>): Reason[] {
    const list = new ReasonList();
    for (const reason of reasons) if (!list.add(reason)) break;
    return list.reasons;
  }

  /** Adds a reason. Returns false if the list is full. */
  add(reason: Reason): boolean {
    if (this.reasons.length > 0) this.#length += reason.instancePath.length + reason.message.length;
    if (this.reasons.length >= MAX_REASONS || this.#length > MAX_LENGTH) return false;
    this.reasons.push(reason);
    return true;
  }
}
