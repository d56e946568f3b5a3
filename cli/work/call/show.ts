/** Operations and their fields, as text. */
import type { CatalogueEntry, CatalogueField } from "../../../sdk/src/operations.js";
import { safe } from "../../output/safe.js";
import type { Column } from "../../output/table.js";
import { wrapped } from "../../output/text.js";
import { typeOf } from "./input.js";

const INDENT = " ".repeat(6);

export const OPERATION_COLUMNS: readonly Column<CatalogueEntry>[] = [
  { title: "operation", cell: ({ id }) => id },
  { title: "by", cell: ({ auth }) => callerOf(auth) },
  { title: "what it does", cell: ({ summary }) => summary, flexible: true },
];

function callerOf(auth: CatalogueEntry["auth"]): string {
  return auth === "key" ? "handle" : "human";
}

/** The text of `wireroom call OPERATION --help`, wrapped at `width` columns. */
export function operationHelp(operation: CatalogueEntry, width: number): string {
  const { id, method, path, auth, summary, description, fields } = operation;
  const names = Object.keys(fields);
  const flags = names.map((name) => flagOf(name, fields[name]!));
  const caller = auth === "key" ? "handle with its key" : "human with an ID token";
  return safe(
    [
      `Usage: wireroom call ${id}${flags.map((flag) => ` ${flag}`).join("")}`,
      "",
      ...wrapped(`${summary}.${description ? ` ${description}` : ""}`, width),
      ...wrapped(`${method} ${path}, called by a ${caller}.`, width),
      "",
      ...(names.length === 0
        ? ["It takes no fields."]
        : ["Fields:", ...names.flatMap((name) => fieldLines(name, fields[name]!, width))]),
      "",
      ...wrapped(
        "Objects and arrays are JSON, @FILE or - for standard input; --input JSON|@FILE|- gives all fields at once.",
        width,
      ),
      "",
    ].join("\n"),
  );
}

function flagOf(name: string, { required }: CatalogueField): string {
  return required ? `--${name} …` : `[--${name} …]`;
}

function fieldLines(name: string, field: CatalogueField, width: number): string[] {
  const { required, description = "", example } = field;
  const notes = [typeText(field), required ? "required" : ""].filter((note) => note !== "").join(", ");
  return [
    `  --${name}  (${notes})`,
    ...wrapped(description, width - INDENT.length).map((line) => `${INDENT}${line}`.trimEnd()),
    ...(example === undefined
      ? []
      : [`${INDENT}for example ${typeof example === "string" ? example : JSON.stringify(example)}`]),
  ];
}

function typeText(field: CatalogueField): string {
  if (field.enum) return field.enum.join(" | ");
  const type = typeOf(field);
  if (type === undefined) return "JSON";
  return type === "array" && field.items?.type ? `array of ${field.items.type}` : type;
}
