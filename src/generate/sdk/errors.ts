/** Generates an error class for each error code. */
import { detailsOf, ERRORS, type ErrorCode, type ErrorDetails } from "../../contract/errors.js";
import { docComment } from "./comments.js";
import { importStatement, typeImportStatement } from "./imports.js";
import { toPascalCase } from "./names.js";

/** `KNOCK_REQUIRED` → `KnockRequiredError`, `VALIDATION_ERROR` → `ValidationError`. */
export function errorClassOf(code: ErrorCode): string {
  return `${toPascalCase(code.replace(/_ERROR$/, "").toLowerCase())}Error`;
}

/**
 * Optional fields of the error envelope: the field, its property in the SDK's errors, and the property's
 * type. The fields `errors` and `retry_after` are missing here, because every SDK error has properties for
 * them.
 */
const DETAILS: [field: keyof ErrorDetails, property: string, type: string][] = [
  ["rule_source", "ruleSource", "RuleSource"],
  ["schema_ref", "schemaRef", "string"],
  ["schema_url", "schemaUrl", "string"],
];

/**
 * Declares the types of an error's details. A detail is required if the code always has it, and undefined if
 * the code never has it.
 */
function declaredDetails(code: ErrorCode): string {
  const { always, details } = detailsOf(code);
  const declared = DETAILS.map(([field, property, type]) => {
    if (always.includes(field)) return `  declare readonly ${property}: ${type};\n`;
    return details.includes(field) ? "" : `  declare readonly ${property}: undefined;\n`;
  });
  return declared.join("");
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
      declaredDetails(code),
      "}\n",
    ].join("");
  });
  return [
    importStatement("WireroomError", "../runtime/errors.js"),
    `${typeImportStatement("RuleSource", "./shapes.js")}\n`,
    docComment(["Every error code of this version of the API. Newer services may return others."]),
    `export type ErrorCode = ${codes.map((code) => `"${code}"`).join(" | ")};\n\n`,
    classes.join("\n"),
    `\n${docComment(["The errors that the service returns. `code` determines the other properties."])}`,
    `export type ServiceError = ${codes.map(errorClassOf).join(" | ")};\n`,
    "\n/** Maps each error code to its class. */\n",
    "export const ERROR_CLASSES: Readonly<Record<string, typeof WireroomError>> = {\n",
    ...codes.map((code) => `  ${code}: ${errorClassOf(code)},\n`),
    "};\n",
  ].join("");
}
