import type { CatalogueEntry, CatalogueField } from "../../../sdk/src/operations.js";
import type { Column } from "../../output/table.js";
import { wrapped } from "../../output/text.js";
import { fieldType } from "./input.js";

const INDENT = " ".repeat(6);

export const OPERATION_COLUMNS: readonly Column<CatalogueEntry>[] = [
  { title: "operation", cell: ({ id }) => id },
  { title: "caller", cell: ({ auth }) => callerOf(auth) },
  { title: "description", cell: ({ summary }) => summary, flexible: true },
];

function callerOf(auth: CatalogueEntry["auth"]): string {
  return auth === "key" ? "handle" : "human";
}

export function operationHelp(operation: CatalogueEntry, width: number): string {
  const { id, method, path, auth, summary, description, fields } = operation;
  const names = Object.keys(fields);
  const flags = names.map((name) => flagOf(name, fields[name]!));
  const caller = auth === "key" ? "handle with its API key" : "human with an ID token";
  return [
    `Usage: wireroom call ${id}${flags.map((flag) => ` ${flag}`).join("")}`,
    "",
    ...wrapped(`${summary}.${description ? ` ${description}` : ""}`, width),
    ...wrapped(`${method} ${path}, called by a ${caller}.`, width),
    "",
    ...(names.length === 0
      ? ["This operation has no fields."]
      : ["Fields:", ...names.flatMap((name) => fieldLines(name, fields[name]!, width))]),
    "",
    ...wrapped(
      "Pass objects and arrays as JSON, @FILE, or - for standard input. Pass all fields at once with --input JSON|@FILE|-.",
      width,
    ),
    "",
  ].join("\n");
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
  const type = fieldType(field);
  if (type === undefined) return "JSON";
  return type === "array" && field.items?.type ? `array of ${field.items.type}` : type;
}
