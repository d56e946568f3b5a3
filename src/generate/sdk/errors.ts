/** The error table → one class a code. */
import { ERRORS, type ErrorCode } from "../../contract/errors.js";
import { comment } from "./comments.js";
import { importLine } from "./imports.js";
import { pascal } from "./names.js";

/** `KNOCK_REQUIRED` → `KnockRequiredError`, `VALIDATION_ERROR` → `ValidationError`. */
export function errorClassOf(code: ErrorCode): string {
  return `${pascal(code.replace(/_ERROR$/, "").toLowerCase())}Error`;
}

export function errorsFile(): string {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const classes = codes.map((code) => {
    const name = errorClassOf(code);
    const { status, condition } = ERRORS[code];
    return [
      comment([`${status} \`${code}\`: ${condition}`]),
      `export class ${name} extends WireroomError {\n`,
      `  override readonly name: string = "${name}";\n`,
      `  declare readonly code: "${code}";\n`,
      "}\n",
    ].join("");
  });
  return [
    `${importLine("WireroomError", "../runtime/errors.js")}\n`,
    comment(["Every code that the service answers with today; a later service may know more."]),
    `export type ErrorCode = ${codes.map((code) => `"${code}"`).join(" | ")};\n\n`,
    classes.join("\n"),
    "\n/** The class of each code. */\n",
    "export const ERROR_CLASSES: Readonly<Record<string, typeof WireroomError>> = {\n",
    ...codes.map((code) => `  ${code}: ${errorClassOf(code)},\n`),
    "};\n",
  ].join("");
}
