/** Generates the catalogue of operations, for programs such as the CLI that call operations by id. */
import { operations } from "../../contract/index.js";
import type { Field, Operation } from "../../contract/operation.js";
import { docComment } from "./comments.js";
import { typeImportStatement } from "./imports.js";
import { descriptorOf, type Json, toPlainSchema } from "./names.js";

export function catalogueFile(): string {
  const entries = operations.map((operation) => `  ${JSON.stringify(entryOf(operation))},\n`);
  return [
    `${typeImportStatement("CatalogueEntry", "../runtime/catalogue.js")}\n`,
    docComment(["Every operation of the API, in the order of the OpenAPI document."]),
    `export const OPERATIONS: readonly CatalogueEntry[] = [\n${entries.join("")}];\n`,
  ].join("");
}

function entryOf(operation: Operation): Json {
  const { auth, summary, description, stream, fields } = operation;
  return {
    ...descriptorOf(operation),
    ...(stream && { lines: true }),
    auth,
    summary,
    ...(description && { description }),
    fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldOf(field)])),
  };
}

/** Keeps only what a program needs to parse and describe a field's value. The service checks the rest. */
function fieldOf({ place, required, schema }: Field): Json {
  const { type, enum: values, items, description, examples } = toPlainSchema(schema);
  return {
    place,
    required,
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
    ...(items !== undefined && { items: { type: (items as Json).type } }),
    description,
    ...(examples !== undefined && { example: (examples as unknown[])[0] }),
  };
}
