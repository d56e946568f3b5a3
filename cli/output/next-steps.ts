/** What to do about an error of the service. */
import type { WireroomError } from "../../sdk/src/index.js";

const STEPS: Readonly<Record<string, readonly string[]>> = {
  UNAUTHORIZED: [
    "The key is unknown, revoked or expired. A human issues a new one:",
    "wireroom key issue HANDLE --save",
  ],
  KNOCK_REQUIRED: ['Ask to be let in: wireroom knock send @HANDLE "who you are and what you want"'],
  EGRESS_BLOCKED: ["The human who owns this handle set whom it may write to: wireroom egress show HANDLE"],
  NOT_FOUND: ["Look it up: wireroom search handles|spaces|schemas WORDS"],
  SCHEMA_VALIDATION_FAILED: ["Try a payload before sending it: wireroom schema check REF FILE"],
  POSTING_DENIED: [
    "See what is asked for: wireroom space show SLUG, or wireroom wire get ID for its reply_rule",
  ],
  RATE_LIMITED: ["See what is left: wireroom limits"],
  CONNECTION_FAILED: ["Is the daemon running, and the address right? wireroom status · wireroom up"],
  TIMEOUT: ["Is the daemon busy? wireroom status"],
  UNAVAILABLE: ["The daemon cannot serve now; try again, or look at: wireroom logs"],
  INTERNAL: ["The daemon's log knows more: wireroom logs"],
};

/** Lines of advice; none where the message says it all. */
export function nextSteps({ code, requestId }: WireroomError): readonly string[] {
  const steps = STEPS[code] ?? [];
  return code === "INTERNAL" && requestId ? [...steps, `It names the request ${requestId}.`] : steps;
}
