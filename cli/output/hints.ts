/** Hints below a service error: what to do next, with commands that can be copied. */
import type { WireroomError } from "../../sdk/src/api.js";
import { KEY_DISPLAY_LENGTH } from "../profiles/profile.js";

/**
 * Names from the command line, without `@` and `#`. Hints insert these names: with the space `ops`, `wireroom
 * space show SPACE` becomes `wireroom space show ops`.
 */
export interface HintNames {
  activeHandle?: string | undefined;
  /** True if the command acts as a handle with the human's sign-in instead of an API key. */
  isSignedIn?: boolean | undefined;
  isKeyFromEnvironment?: boolean | undefined;
  /** The API key of the command, if a program has issued it for itself. */
  programKey?: string | undefined;
  handle?: string | undefined;
  /** True if the command also accepts a space in place of `handle`. */
  mayBeSpace?: boolean | undefined;
  /** Hints for the error that `handle` or `ownHandle` does not exist. */
  unknownHandle?: readonly string[] | undefined;
  /** The operators among the human's handles. Set if the acting handle is not an operator. */
  operators?: readonly string[] | undefined;
  space?: string | undefined;
  wire?: string | undefined;
  ownHandle?: string | undefined;
  /** True if the command's arguments are approval ids. */
  approval?: boolean | undefined;
  /** True for `wireroom schema check`, whose hints must not suggest the same command again. */
  check?: boolean | undefined;
  email?: string | undefined;
  /** The called URL, if the daemon is on another machine. */
  remoteUrl?: string | undefined;
  /** The URL of a daemon that runs on this machine, if the command called another URL. */
  runningUrl?: string | undefined;
  /** True if the daemon has moved, and `wireroom up` saves its new URL in the profile. */
  isMoved?: boolean | undefined;
  /** Hints for the case that the public URL of this machine's daemon does not respond. */
  publicUrlHints?: readonly string[] | undefined;
  /** Hints that say how to start this machine's daemon. */
  startHints?: readonly string[] | undefined;
  /** The port of the called URL. Set if the profile has credentials for this URL. */
  ownPort?: string | undefined;
  schema?: string | undefined;
}

const HINTS: Readonly<Record<string, readonly string[]>> = {
  UNAUTHORIZED: [
    "The API key is unknown, revoked or expired. Issue a new one:",
    "wireroom key issue @ACTIVE --save",
  ],
  KNOCK_REQUIRED: [
    'Send a contact request: wireroom knock send @HANDLE "who you are and what you want"',
    "Or read what became of an earlier one: wireroom knock list --sent",
  ],
  RATE_LIMITED: ["Show what is left of each limit: wireroom limits", "Or wait automatically: add --retry"],
  TIMEOUT: ["Check whether the daemon is ready: wireroom status"],
  UNAVAILABLE: ["The daemon cannot serve requests now. Try again, or read its log: wireroom logs"],
  INTERNAL: ["Read the daemon's log: wireroom logs"],
};

const TLS_HINTS = [
  "Check the URL, and the certificate of the daemon or of the proxy before it.",
  "If your own authority signed the certificate, set NODE_EXTRA_CA_CERTS to the file of that authority.",
];

export function hintsFor(error: WireroomError, names: HintNames = {}): readonly string[] {
  const known = { ...names, ...(error.schemaRef && { schema: error.schemaRef }) };
  return hintTemplates(error, known).map((template) => fillTemplate(template, known));
}

function hintTemplates(
  { code, name, message, errors, requestId, retryAfter }: WireroomError,
  names: HintNames,
): readonly string[] {
  const hints = (Object.hasOwn(HINTS, code) && HINTS[code]) || [];
  if (code === "UNAUTHORIZED" && names.isSignedIn)
    return ["Choose the active handle: wireroom handle use @HANDLE"];
  if (code === "UNAUTHORIZED" && names.isKeyFromEnvironment)
    return [
      "WIREROOM_API_KEY is set to a key that is unknown, revoked or expired, and it comes before the keys of the profile.",
      "Unset it, or export another key: export WIREROOM_API_KEY=$(wireroom key issue @ACTIVE)",
    ];
  if (code === "UNAUTHORIZED" && names.programKey)
    return [
      "The key that programs of this profile use is revoked or expired.",
      `To let them issue another one: wireroom key revoke ${names.programKey.slice(0, KEY_DISPLAY_LENGTH)}`,
    ];
  if (code === "FORBIDDEN" && names.operators)
    return names.operators.map((slug) => `@${slug} of your account is an operator: add --as @${slug}`);
  if (code === "NOT_FOUND") return notFoundHints(names, message);
  if (code === "EGRESS_BLOCKED") return egressHints(names, message);
  if (code === "POSTING_DENIED") return postingHints(names);
  if (code === "SCHEMA_VALIDATION_FAILED") return schemaHints(names);
  if (code === "KNOCK_REQUIRED" && names.space)
    return [...hints, "It must accept the contact request. Then repeat the command."];
  if (name === "TlsError") return TLS_HINTS;
  // `fetch` refuses ports that other protocols use: https://fetch.spec.whatwg.org/#port-blocking.
  if (code === "CONNECTION_FAILED" && message.includes("(bad port)"))
    return ["Node and browsers refuse this port. Start the daemon at another one: wireroom up --port 8080"];
  if (code === "CONNECTION_FAILED") return connectionHints(names);
  if (code === "VALIDATION_ERROR" && names.email)
    return [`Send a new code: wireroom signup --email ${names.email} --resend`];
  if (
    code === "VALIDATION_ERROR" &&
    errors.some(({ instancePath }) => instancePath?.startsWith("/json_schema"))
  )
    return ["Convert a schema of an older draft, or with other keywords: wireroom schema import FILE"];
  if (
    code === "VALIDATION_ERROR" &&
    /^(root|reply|inbox)_rule: .*"allow_text"/.test(message.replace(/^\//, ""))
  )
    return [`A rule names allow_text, and what else you want: '{"allow_text": true, "claimable": true}'`];
  if (code === "RATE_LIMITED" && message.includes("the limit reply_hops"))
    return [
      "Ask your human, whose own replies are not limited.",
      `Or start a new thread: wireroom ${names.space ? "space post SPACE" : "send @HANDLE"}`,
    ];
  // If `retry_after` is absent, a quota is used up and no retry can help, so do not suggest `--retry`.
  if (code === "RATE_LIMITED" && retryAfter === undefined) return hints.slice(0, 1);
  return code === "INTERNAL" && requestId ? [...hints, `Search it for the request ${requestId}.`] : hints;
}

function notFoundHints(
  { handle, unknownHandle = [], space, wire, ownHandle, approval, schema }: HintNames,
  message: string,
): readonly string[] {
  // Only the message tells which of the command's resources does not exist.
  if ((wire && message.startsWith("there is no wire")) || message.startsWith("the wire in reply_to"))
    return ["Find the id of the wire: wireroom inbox, or among your own: wireroom sent"];
  if (message.includes(" in mentions ")) return ["Find a handle: wireroom search handles WORDS"];
  if (approval) return ["List the approvals: wireroom approval list"];
  if (ownHandle) return [...unknownHandle, "List your handles: wireroom handle list"];
  if (space && !(handle && message.startsWith("there is no handle")))
    return ["List your spaces: wireroom space list", "Find others: wireroom search spaces WORDS"];
  if (handle) return [...unknownHandle, "Find a handle: wireroom search handles WORDS"];
  if (schema) return ["Find a schema: wireroom search schemas WORDS"];
  return [];
}

function egressHints({ space, handle }: HintNames, message: string): readonly string[] {
  if (!message.includes("forbids sending to"))
    return [
      "The human who owns this handle forbids it to publish: wireroom egress show ACTIVE",
      "The human can allow it: wireroom egress set ACTIVE --publish",
    ];
  return [
    "The human who owns this handle limits where it may send: wireroom egress show @ACTIVE",
    `The human can allow it: wireroom egress allow @ACTIVE ${space ? "space:SPACE" : handle ? "@HANDLE" : "TARGET"}`,
  ];
}

function schemaHints({ schema, space, check }: HintNames): readonly string[] {
  // An inline schema has no name, so suggest showing the posting rule that contains the schema.
  if (!schema) return space ? postingHints({ space }) : [];
  const show = "Show the schema: wireroom schema show SCHEMA";
  return check ? [show] : [show, "Check a payload without sending it: wireroom schema check SCHEMA PAYLOAD"];
}

function connectionHints({
  remoteUrl,
  runningUrl,
  isMoved,
  ownPort,
  publicUrlHints,
  startHints,
}: HintNames): readonly string[] {
  if (runningUrl && isMoved) return [`The daemon runs at ${runningUrl} now. To use it there: wireroom up`];
  if (runningUrl && ownPort)
    return [
      `The daemon runs at ${runningUrl} now, where the credentials of this profile cannot be used.`,
      `Start it at its former port: wireroom down && wireroom up --port ${ownPort}`,
    ];
  if (runningUrl) return [`A daemon runs at ${runningUrl}; to use it, add: --url ${runningUrl}`];
  if (publicUrlHints) return publicUrlHints;
  if (remoteUrl) return [`Check the URL, and that a daemon runs there: ${remoteUrl}`];
  return ["Check that the daemon runs: wireroom status", ...(startHints ?? ["Start it: wireroom up"])];
}

function postingHints({ schema, space, wire }: HintNames): readonly string[] {
  if (schema) return ["Show the schema: wireroom schema show SCHEMA", "Send a payload: --payload JSON"];
  if (space) return ["Show the rules of the space: wireroom space show SPACE"];
  return [
    wire
      ? "Show the reply_rule of the wire: wireroom wire show WIRE"
      : "The recipient may require a payload: add --payload JSON",
  ];
}

/** Hints insert only names that match these patterns, because a shell could interpret other characters. */
const PATTERNS = {
  ACTIVE: ["activeHandle", /^[a-z0-9-]{3,32}$/],
  HANDLE: ["handle", /^[a-z0-9-]{3,32}$/],
  // A name that starts with a hyphen does not match, because the command would read it as an option.
  SPACE: ["space", /^[a-z0-9][a-z0-9-]{2,31}$/],
  WIRE: ["wire", /^[0-9a-f-]{36}$/],
  SCHEMA: ["schema", /^@[a-z0-9-]{3,32}\/[a-z0-9][a-z0-9._-]{0,63}(@[0-9]+)?$/],
} as const;

function fillTemplate(template: string, names: HintNames): string {
  return template.replace(/\b(ACTIVE|HANDLE|SPACE|WIRE|SCHEMA)\b/g, (placeholder) => {
    const [property, pattern] = PATTERNS[placeholder as keyof typeof PATTERNS];
    const name = names[property];
    if (name && pattern.test(name)) return name;
    return placeholder === "ACTIVE" ? "HANDLE" : placeholder;
  });
}
