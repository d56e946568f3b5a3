/** Errors on standard error: what was wrong, why, and what to do next; with `--json` the envelope. */
import { type ErrorEnvelope, WireroomError } from "../../sdk/src/index.js";
import { exitCodeOf } from "../exit-codes.js";
import { Failure, Interrupted } from "../failure.js";
import type { Paint } from "./colours.js";
import { type Named, nextSteps } from "./next-steps.js";
import { oneLine, safe } from "./safe.js";
import { wrapped } from "./text.js";
import { duration } from "./units.js";

/** The specification's error envelope (section 7). Codes of the CLI's own are listed in docs/cli.md. */
interface Envelope {
  code: string;
  message: string;
  [field: string]: unknown;
}

/** How an error is to be shown. */
interface Presentation {
  json: boolean;
  paint: Paint;
  /** Names that the command line gave, for advice. */
  named?: Named | undefined;
  /** Columns of the terminal; undefined in a pipe. */
  width?: number | undefined;
}

/** The text for standard error, and the exit code. The text is empty for Ctrl-C. */
export function presentError(
  error: unknown,
  { json, ...shown }: Presentation,
): { text: string; exitCode: number } {
  if (error instanceof Interrupted) return { text: "", exitCode: error.exitCode };
  const known = error instanceof WireroomError || error instanceof Failure ? error : unexpected(error);
  const exitCode = known instanceof Failure ? known.exitCode : exitCodeOf(known.code);
  const text = json ? `${JSON.stringify(envelopeOf(known))}\n` : forPeople(known, shown);
  return { text, exitCode };
}

/** A `TypeError` of the SDK says what was wrong with a value; anything else is a fault of this program. */
function unexpected(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return new Failure(error instanceof TypeError ? "USAGE" : "FAILED", message, [], { cause: error });
}

function envelopeOf(error: WireroomError | Failure): Envelope {
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

/** Lines of `errors` that are shown; the rest is counted. */
const MOST_REASONS = 20;

function forPeople(
  error: WireroomError | Failure,
  { paint, named, width = Number.POSITIVE_INFINITY }: Omit<Presentation, "json">,
): string {
  const { message, code, reasons, next } = explain(error, paint, named);
  const lines = [sentence(`error ${message} (${code})`, code, { paint, width }), ...reasons];
  if (next.length > 0)
    lines.push("", paint("dim", "What to do:"), ...next.flatMap((step) => stepLines(step, width)));
  return `${lines.join("\n")}\n`;
}

/** The error sentence, wrapped between words. It is wrapped before it is styled. */
function sentence(text: string, code: string, { paint, width }: { paint: Paint; width: number }): string {
  const broken = wrapped(text, width).join("\n");
  const end = broken.endsWith(`(${code})`) ? -code.length - 2 : broken.length;
  const [word, rest, last] = [broken.slice(0, 5), broken.slice(5, end), broken.slice(end)];
  return `${paint(["red", "bold"], word)}${rest}${last && paint("dim", last)}`;
}

/** One step of advice. A command is not wrapped, so that it can be copied. */
function stepLines(step: string, width: number): string[] {
  const lines = step.startsWith("wireroom ") ? [step] : wrapped(step, width - 2);
  return lines.map((line) => `  ${line}`);
}

/** An error in words for people; all of it is safe to show. */
export interface Explanation {
  message: string;
  code: string;
  /** Lines that say what exactly was wrong. */
  reasons: readonly string[];
  /** What to do: commands or sentences, a line each. */
  next: readonly string[];
}

/** Explains whatever was thrown. `named` is what the command was about, for advice. */
export function explain(thrown: unknown, paint: Paint, named?: Named): Explanation {
  const error = thrown instanceof WireroomError || thrown instanceof Failure ? thrown : unexpected(thrown);
  return {
    message: safe(error.message),
    code: error.code,
    reasons: error instanceof WireroomError ? reasonsOf(error, paint) : [],
    next: error instanceof Failure ? error.next : nextSteps(error, named),
  };
}

function reasonsOf(error: WireroomError, paint: Paint): string[] {
  const { errors, ruleSource, schemaRef, retryAfter } = error;
  const lines: string[] = [];
  if (ruleSource) lines.push(`  rule    ${RULES[ruleSource] ?? ruleSource}`);
  if (schemaRef) lines.push(`  schema  ${oneLine(schemaRef)}`);
  for (const { instancePath, message, keyword } of isSaid(error) ? [] : errors.slice(0, MOST_REASONS)) {
    const where = instancePath === "" || instancePath === undefined ? "(the whole)" : instancePath;
    lines.push(
      `  ${paint("yellow", oneLine(where))} ${oneLine(message ?? "")} ${paint("dim", keyword ?? "")}`.trimEnd(),
    );
  }
  if (errors.length > MOST_REASONS) lines.push(`  … and ${errors.length - MOST_REASONS} more`);
  if (retryAfter !== undefined) lines.push(`  again in ${duration(retryAfter)}`);
  return lines;
}

/** Whether the message itself gives the only reason, as that of `VALIDATION_ERROR` does. */
function isSaid({ errors, message }: WireroomError): boolean {
  const [only, ...others] = errors;
  if (only === undefined || others.length > 0) return false;
  return [only.instancePath, only.message].every((part) => part !== undefined && message.includes(part));
}

/** `rule_source` in words (specification, section 7). */
const RULES: Readonly<Record<string, string>> = {
  inbox: "the recipient's inbox_rule",
  space_root: "the space's root_rule",
  space_reply: "the space's reply_rule",
  wire_reply_rule: "the reply_rule of the wire that is replied to",
};

/**
 * The error that a call would have thrown for this envelope. For envelopes inside a successful response, such as why an
 * approved wire could not be sent.
 * @param prefix stands before its message
 */
export function errorOf(envelope: ErrorEnvelope, prefix = ""): WireroomError {
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
