/** Formats errors for standard error: message, reasons and hints, or with `--json` an error envelope. */
import { ConnectionError, type ErrorEnvelope, WireroomError } from "../../sdk/src/api.js";
import { exitCodeOf } from "../exit-codes.js";
import { Failure, Interrupted } from "../failure.js";
import type { Paint } from "./colours.js";
import { type ErrorFormat, type Explanation, errorText } from "./error-text.js";
import { type HintNames, hintsFor } from "./hints.js";
import { jsonText, oneLine, safe } from "./safe.js";
import { own, wrapped } from "./text.js";
import { duration } from "./units.js";

interface Presentation extends ErrorFormat {
  json: boolean;
  hintNames?: HintNames | undefined;
}

/** The text for standard error is empty after Ctrl-C. */
export function presentError(
  error: unknown,
  { json, hintNames, ...format }: Presentation,
): { text: string; exitCode: number } {
  if (error instanceof Interrupted) return { text: "", exitCode: error.exitCode };
  const known = knownError(error);
  const exitCode = known instanceof Failure ? known.exitCode : exitCodeOf(known.code);
  const text = json
    ? `${jsonText(envelopeOf(known))}\n`
    : errorText(explain(known, format.paint, hintNames), format, wrapped);
  return { text, exitCode };
}

function knownError(error: unknown): WireroomError | Failure {
  if (error instanceof ConnectionError && error.cause instanceof Failure) return error.cause;
  return error instanceof WireroomError || error instanceof Failure ? error : unexpected(error);
}

/** The SDK throws a `TypeError` for an invalid value, which is a usage error. */
function unexpected(error: unknown): Failure {
  const { code, permission, resource } = Object(error) as NodeJS.ErrnoException & Record<string, string>;
  if (code === "ERR_ACCESS_DENIED")
    return new Failure(
      "FAILED",
      `the permission model of Node denies ${permission}${resource && ` for ${resource}`}`,
      ["Run the command without the options of the permission model: NODE_OPTIONS= wireroom …"],
      { cause: error },
    );
  const message = error instanceof Error ? error.message : String(error);
  return new Failure(error instanceof TypeError ? "USAGE" : "FAILED", message, [], { cause: error });
}

/** Returns the error envelope (docs/specification/errors.md#envelope). */
function envelopeOf(error: WireroomError | Failure): object {
  if (error instanceof Failure) return { code: error.code, message: error.message };
  const { code, message, errors, ruleSource, schemaRef, schemaUrl, retryAfter } = error;
  return {
    code,
    message,
    ...(ruleSource && { rule_source: ruleSource }),
    ...(schemaRef && { schema_ref: schemaRef }),
    ...(schemaUrl && { schema_url: schemaUrl }),
    ...(errors.length > 0 && { errors }),
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
  };
}

const MAX_REASONS = 20;

export function explain(thrown: unknown, paint: Paint, hintNames?: HintNames): Explanation {
  const error = knownError(thrown);
  return {
    message: safe(messageOf(error, hintNames)),
    code: oneLine(error.code),
    reasons: error instanceof WireroomError ? reasonsOf(error, paint, hintNames) : [],
    hints: error instanceof Failure ? error.hints : hintsFor(error, hintNames),
  };
}

/**
 * Returns the message for humans. In a `VALIDATION_ERROR`, converts a leading JSON Pointer to a field name
 * (`reply_to: …`). In a connection error, omits the leading operation (`inbox.read: no response …`).
 */
function messageOf(error: WireroomError | Failure, names?: HintNames): string {
  const { code } = error;
  if (error instanceof ConnectionError) return error.message.replace(/^[A-Za-z.]+: /, "");
  const message = withoutReasons(error.message).replaceAll("transfer_owner", "wireroom space transfer");
  return code === "VALIDATION_ERROR"
    ? message
        .replace(/^\/members\/\S+: /, "")
        .replace(/^(\/\S+): /, (_, pointer: string) => `${fieldPath("", pointer, names)}: `)
    : message;
}

/** Removes the reasons of an invalid payload or schema version, which are printed below the message. */
function withoutReasons(message: string): string {
  return message.replace(
    /^(the payload is not valid under|not backward compatible with) ([^:]+): .*/s,
    "$1 $2",
  );
}

function reasonsOf(error: WireroomError, paint: Paint, names?: HintNames): string[] {
  const { errors, ruleSource, schemaRef, retryAfter } = error;
  const lines: string[] = [];
  if (ruleSource) lines.push(`  rule    ${own(RULES, ruleSource) ?? oneLine(ruleSource)}`);
  if (schemaRef) lines.push(`  schema  ${oneLine(schemaRef)}`);
  const root = error.code === "SCHEMA_VALIDATION_FAILED" ? "payload" : "";
  for (const { instancePath = "", message = "" } of messageContainsReason(error)
    ? []
    : errors.slice(0, MAX_REASONS))
    lines.push(
      `  ${paint("yellow", oneLine(fieldPath(root, instancePath, names)))} ${oneLine(message)}`.trimEnd(),
    );
  if (errors.length > MAX_REASONS) lines.push(`  … and ${errors.length - MAX_REASONS} more`);
  if (retryAfter !== undefined) lines.push(`  retry in ${duration(retryAfter)}`);
  return lines;
}

/** Converts a JSON Pointer to a property path: `/items/0/price` becomes `payload.items[0].price`. */
function fieldPath(root: string, pointer: string, names: HintNames = {}): string {
  // The argument that becomes the slug is `<handle>` or `<space>`, and `<name>` for a new one.
  if (root === "" && pointer === "/slug")
    return names.space ? "space" : (names.ownHandle ?? names.handle) ? "handle" : "name";
  const segments = pointer.split("/").slice(1);
  const keys = segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  const path = keys.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join("");
  return `${root}${path}`.replace(/^\./, "") || "the whole document";
}

/** Returns whether the message already contains the only reason, so that the reason is not printed twice. */
function messageContainsReason({ errors, message }: WireroomError): boolean {
  const [only, ...others] = errors;
  if (only === undefined || others.length > 0) return false;
  const shown = withoutReasons(message);
  return [only.instancePath, only.message].every((part) => part !== undefined && shown.includes(part));
}

/** Describes each value of `rule_source` (docs/specification/errors.md#envelope). */
const RULES: Readonly<Record<string, string>> = {
  inbox: "the recipient's inbox_rule",
  space_root: "the space's root_rule",
  space_reply: "the space's reply_rule",
  wire_reply_rule: "the reply_rule of the parent wire",
};

export function errorFromEnvelope(envelope: ErrorEnvelope, prefix = ""): WireroomError {
  const { code, message, errors, rule_source, schema_ref, schema_url, retry_after } = envelope;
  return new WireroomError(`${prefix}${message}`, {
    code,
    errors,
    ruleSource: rule_source,
    schemaRef: schema_ref,
    schemaUrl: schema_url,
    retryAfter: retry_after,
  });
}
