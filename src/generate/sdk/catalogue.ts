/** Every operation as data: for programs that carry out whatever they are told by name. */
import { operations } from "../../contract/index.js";
import type { Field, Operation } from "../../contract/operation.js";
import { comment } from "./comments.js";
import { importTypes } from "./imports.js";
import { type Json, plain } from "./names.js";

/** The file that holds it. */
export function catalogueFile(): string {
  const entries = operations.map((operation) => `  ${JSON.stringify(entryOf(operation))},\n`);
  return [
    `${importTypes("CatalogueEntry", "../runtime/catalogue.js")}\n`,
    comment(["Every operation of the contract, in the order of the documents."]),
    `export const OPERATIONS: readonly CatalogueEntry[] = [\n${entries.join("")}];\n`,
  ].join("");
}

function entryOf(operation: Operation): Json {
  const { id, method, path, auth, summary, description, idempotent, stream, fields } = operation;
  return {
    id,
    method,
    path,
    ...(method === "POST" && !idempotent && { once: true }),
    ...(fields.wait && { held: true }),
    ...(stream && { lines: true }),
    auth,
    summary,
    ...(description && { description }),
    fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldOf(field)])),
  };
}

/** Of a schema, what a value is read by: its type and its words. Everything else is the service's to check. */
function fieldOf({ place, required, schema }: Field): Json {
  const { type, enum: values, items, description, examples } = plain(schema);
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
