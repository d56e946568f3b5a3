/** Advice for errors of the service. */
import type { WireroomError } from "../../sdk/src/index.js";

/** Names that the command line gave; they replace the words in capitals in the advice. */
export interface Named {
  /** The handle that acts, bare. */
  own?: string | undefined;
  /** The handle that was named, bare. */
  handle?: string | undefined;
  /** The space that was named, bare. */
  slug?: string | undefined;
  /** The wire that was named. */
  id?: string | undefined;
  /** The handle of the human's own that was named, bare. */
  mine?: string | undefined;
  /** Whether approvals were named. */
  approval?: boolean | undefined;
  /** The schema that was named. */
  ref?: string | undefined;
}

const STEPS: Readonly<Record<string, readonly string[]>> = {
  UNAUTHORIZED: [
    "The key is unknown, revoked or expired. A human issues a new one:",
    "wireroom key issue OWN --save",
  ],
  KNOCK_REQUIRED: ['Ask to be let in: wireroom knock send @HANDLE "who you are and what you want"'],
  SCHEMA_VALIDATION_FAILED: [
    "See what is asked for: wireroom schema get REF",
    "Try a payload before sending it: wireroom schema check REF PAYLOAD",
  ],
  RATE_LIMITED: ["See what is left: wireroom limits", "or let the command wait: --retry"],
  CONNECTION_FAILED: ["Is the daemon running, and the address right? wireroom status · wireroom up"],
  TIMEOUT: ["Is the daemon busy? wireroom status"],
  UNAVAILABLE: ["The daemon cannot serve now; try again, or look at: wireroom logs"],
  INTERNAL: ["The daemon's log knows more: wireroom logs"],
};

/** Lines of advice; none where the message says it all. */
export function nextSteps(error: WireroomError, named: Named = {}): readonly string[] {
  const known = { ...named, ...(error.schemaRef && { ref: error.schemaRef }) };
  return stepsFor(error, known).map((step) => filled(step, known));
}

function stepsFor({ code, requestId, retryAfter }: WireroomError, named: Named): readonly string[] {
  const steps = STEPS[code] ?? [];
  if (code === "NOT_FOUND") return whereToLook(named);
  if (code === "EGRESS_BLOCKED") return whoMayLetItThrough(named);
  if (code === "POSTING_DENIED") return whatIsAskedFor(named);
  // A quota that waiting does not free comes without `retry_after`.
  if (code === "RATE_LIMITED" && retryAfter === undefined) return steps.slice(0, 1);
  return code === "INTERNAL" && requestId ? [...steps, `It names the request ${requestId}.`] : steps;
}

function whereToLook({ handle, slug, mine, approval, ref }: Named): readonly string[] {
  if (approval) return ["See what there is: wireroom approval list"];
  if (mine) return ["See what you have: wireroom handle list"];
  if (slug) return ["Yours: wireroom space list", "Others: wireroom search spaces WORDS"];
  if (handle) return ["Look it up: wireroom search handles WORDS"];
  if (ref) return ["Look it up: wireroom search schemas WORDS"];
  return [];
}

function whoMayLetItThrough({ slug, handle }: Named): readonly string[] {
  return [
    "The human who owns this handle set whom it may write to: wireroom egress show OWN",
    `and lets this through with: wireroom egress allow OWN ${slug ? "space:SLUG" : handle ? "@HANDLE" : "TARGET"}`,
  ];
}

function whatIsAskedFor({ slug, id }: Named): readonly string[] {
  if (slug) return ["See what is asked for: wireroom space show SLUG"];
  return [
    id
      ? "See the reply_rule of the wire: wireroom wire get ID"
      : "A payload may be what is asked for: --payload JSON",
  ];
}

/** Patterns of names that may stand in a command for copying. */
const NAMES = {
  own: /^[a-z0-9-]{3,32}$/,
  handle: /^[a-z0-9-]{3,32}$/,
  slug: /^[a-z0-9-]{3,32}$/,
  id: /^[0-9a-f-]{36}$/,
  ref: /^@[a-z0-9-]{3,32}\/[a-z0-9][a-z0-9._-]{0,63}(@[0-9]+)?$/,
} as const;

function filled(step: string, named: Named): string {
  return step.replace(/\b(OWN|HANDLE|SLUG|ID|REF)\b/g, (word) => {
    const key = word.toLowerCase() as keyof typeof NAMES;
    const name = named[key];
    if (name && NAMES[key].test(name)) return name;
    return word === "OWN" ? "HANDLE" : word;
  });
}
