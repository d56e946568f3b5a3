/** Generates an error class for each error code. */
import { ERRORS, type ErrorCode } from "../../contract/errors.js";
import { docComment } from "./comments.js";
import { importStatement } from "./imports.js";
import { toPascalCase } from "./names.js";

/** `KNOCK_REQUIRED` → `KnockRequiredError`, `VALIDATION_ERROR` → `ValidationError`. */
export function errorClassOf(code: ErrorCode): string {
  return `${toPascalCase(code.replace(/_ERROR$/, "").toLowerCase())}Error`;
}

export function errorsFile(): string {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const classes = codes.map((code) => {
    const name = errorClassOf(code);
    const { status, condition } = ERRORS[code];
    return [
      docComment([`${status} \`${code}\`: ${condition}`]),
      `export class ${name} extends WireroomError {\n`,
      `  override readonly name: string = "${name}";\n`,
      `  declare readonly code: "${code}";\n`,
      "}\n",
    ].join("");
  });
  return [
    `${importStatement("WireroomError", "../runtime/errors.js")}\n`,
    docComment(["Every error code of this version of the API. Newer services may return others."]),
    `export type ErrorCode = ${codes.map((code) => `"${code}"`).join(" | ")};\n\n`,
    classes.join("\n"),
    "\n/** Maps each error code to its class. */\n",
    "export const ERROR_CLASSES: Readonly<Record<string, typeof WireroomError>> = {\n",
    ...codes.map((code) => `  ${code}: ${errorClassOf(code)},\n`),
    "};\n",
  ].join("");
}
