/** When a knock may be sent and answered (decisions, section 6). */
import { invalid, WireroomError } from "../contract/errors.js";
import type { Knock } from "../contract/shapes.js";
import { DAY } from "../kernel/clock.js";
import { type EgressFacts, judgeEgress, type Passage } from "./egress.js";

/** After a rejection the same sender may not knock again for 7 days. */
export const REJECTION_PAUSE = 7 * DAY;

/** What a knock depends on. */
export interface KnockSituation {
  isSelf: boolean;
  isContact: boolean;
  hasBlocked: boolean;
  /** The sender's egress policy towards the target. */
  egress: EgressFacts;
  /** The newest knock from this sender to this target. */
  latest: { status: Knock["status"]; decidedAt: number | null } | undefined;
}

/** Whether a knock is sent or held. Throws where it is refused: what is malformed first. */
export function judgeKnock(slug: string, situation: KnockSituation, at: number): Passage {
  if (situation.isSelf) throw badHandle("a handle cannot knock itself");
  if (situation.isContact) throw badHandle(`@${slug} is a contact already; send it a wire`);
  const passage = judgeEgress(situation.egress, { target: `@${slug}`, isNote: false });
  if (situation.hasBlocked) throw new WireroomError("FORBIDDEN", `@${slug} takes no knocks from you`);
  const { latest } = situation;
  if (latest?.status === "rejected" && latest.decidedAt !== null && latest.decidedAt + REJECTION_PAUSE > at) {
    const until = new Date(latest.decidedAt + REJECTION_PAUSE).toISOString();
    throw new WireroomError(
      "FORBIDDEN",
      `@${slug} rejected your last knock; you may knock again from ${until}`,
    );
  }
  return passage;
}

/** Whether an answer changes anything; the same decision again does not. Throws 400 for another decision. */
export function answerChanges(status: Knock["status"], answer: "accepted" | "rejected"): boolean {
  if (status === "pending") return true;
  if (status === answer) return false;
  throw invalid({
    instancePath: "/status",
    keyword: "status",
    message: `this knock is ${status} already and can no longer be ${answer}`,
  });
}

function badHandle(message: string): WireroomError {
  return invalid({ instancePath: "/handle", keyword: "handle", message });
}
