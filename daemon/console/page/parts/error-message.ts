/** Converts errors to sentences for humans, without the API's JSON Pointers. */
import { type Reason, WireroomError } from "@wireroom/sdk";
import { counted } from "./count.js";

export function messageOf(error: unknown): string {
  if (!(error instanceof WireroomError)) return error instanceof Error ? error.message : String(error);
  if (error.code === "CONNECTION_FAILED" || error.code === "TIMEOUT")
    return "The daemon did not answer. Check that it runs and that your device is online.";
  const [first] = error.errors;
  const message = sentenceOf(
    first && repeats(error, first) ? first : { instancePath: "", message: error.message },
  );
  if (error.retryAfter === undefined) return message;
  return `${message} Try again in ${counted(error.retryAfter, "second")}.`;
}

/** Returns whether the error's message says no more than the reason. */
export function repeats(error: Error, { message }: Reason): boolean {
  return error.message.endsWith(message);
}

/** The reasons of a validation error. Their paths begin with the field's name. */
export function reasonsOf(error: unknown): readonly Reason[] {
  if (!(error instanceof WireroomError)) return [];
  if (error.code !== "SCHEMA_VALIDATION_FAILED") return error.errors;
  return error.errors.map((each) => ({ ...each, instancePath: `/payload${each.instancePath}` }));
}

/**
 * @param field name of the field at which the reason is shown, such as `root_rule/inline_schema`
 * @param label the field's label
 */
export function sentenceOf(
  { instancePath, message }: Pick<Reason, "instancePath" | "message">,
  field = instancePath.split("/")[1] ?? "",
  label = field.replaceAll("_", " "),
): string {
  const inside = instancePath.split("/").slice(1 + field.split("/").length);
  const [entry] = inside;
  const isEntry = inside.length === 1 && /^\d+$/.test(entry!);
  const subject = isEntry ? `Entry ${Number(entry) + 1}` : inside.join(".") || label;
  const isAboutSubject = /^(must|is|needs) /.test(message);
  const whole = isAboutSubject
    ? `${subject} ${message}`
    : inside.length > 0
      ? `${subject}: ${message}`
      : message;
  const sentence = inside.length > 0 ? whole : `${whole.charAt(0).toUpperCase()}${whole.slice(1)}`;
  return sentence.endsWith(".") ? sentence : `${sentence}.`;
}
