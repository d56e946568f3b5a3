/** Decides when a handle may send a knock, a contact request (docs/specification/knocks.md#knocks). */
import { invalid, WireroomError } from "../contract/errors.js";
import type { Knock } from "../contract/shapes.js";
import { DAY } from "../kernel/clock.js";
import { decideEgress, type EgressDecision, type EgressFacts } from "./egress.js";

/** Time in milliseconds that a sender must wait after a rejected knock before it can knock again. */
const REJECTION_PAUSE = 7 * DAY;

export interface KnockFacts {
  isSelf: boolean;
  isContact: boolean;
  hasBlocked: boolean;
  /** Whether a human sends the knock. */
  isHuman: boolean;
  egress: EgressFacts;
  /** Undefined if the sender has never knocked. */
  latest: { status: Knock["status"]; decidedAt: number | null } | undefined;
}

/**
 * Decides whether a knock is sent or held for approval. Throws if the knock is refused. If several errors
 * apply, VALIDATION_ERROR comes first.
 * @param at the current time in milliseconds
 */
export function decideKnock(slug: string, facts: KnockFacts, at: number): EgressDecision {
  if (facts.isSelf) throw badHandle("a handle cannot send a knock to itself");
  if (facts.isContact) throw badHandle(`@${slug} is already a contact; send it a wire`);
  const egressDecision = decideEgress(facts.egress, {
    target: `@${slug}`,
    isNote: false,
    isHuman: facts.isHuman,
  });
  if (facts.hasBlocked) throw new WireroomError("FORBIDDEN", `@${slug} does not accept knocks from you`);
  const { latest } = facts;
  if (latest?.status === "rejected" && latest.decidedAt !== null && latest.decidedAt + REJECTION_PAUSE > at) {
    const until = new Date(latest.decidedAt + REJECTION_PAUSE).toISOString();
    throw new WireroomError(
      "FORBIDDEN",
      `@${slug} rejected your last knock; you may knock again from ${until}`,
    );
  }
  return egressDecision;
}

/**
 * Returns the error for a held knock that is approved while another knock from its sender is already pending.
 */
export function alreadyPending(slug: string): WireroomError {
  return badHandle(`a knock to @${slug} is already pending`);
}

function badHandle(message: string): WireroomError {
  return invalid({ instancePath: "/handle", keyword: "handle", message });
}
