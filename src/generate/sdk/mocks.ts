/** Generates data for the mocks of `@wireroom/sdk/msw`: each operation's types, status and example output. */
import { ERRORS } from "../../contract/errors.js";
import { errorCodesOf, type Operation } from "../../contract/operation.js";
import { docComment } from "./comments.js";
import { typeImportStatement } from "./imports.js";
import { fileOf, type Json, toPlainSchema, typePrefixOf, verbOf } from "./names.js";
import { Declarations, isDeclared, isObject } from "./types.js";

export function mocksFile(nouns: ReadonlyMap<string, readonly Operation[]>): string {
  const shapes = new Declarations("output");
  const imports: string[] = [];
  const groups = [...nouns].map(([noun, own]) => {
    const members = own.map((operation) => memberOf(operation, shapes));
    imports.push(typeImportStatement(own.flatMap(declaredTypesOf), `./${fileOf(noun)}.js`));
    return `  ${noun}: {\n${members.join("")}  };\n`;
  });
  const operations = [...nouns.values()].flat();
  return [
    typeImportStatement("HandlerFactory", "../msw/types.js"),
    ...imports,
    typeImportStatement([...shapes.used].sort(), "./shapes.js"),
    `\n${docComment(["A factory of `msw` request handlers for each operation."])}`,
    `export interface WireroomHandlers {\n${groups.join("")}}\n\n`,
    docComment(["The status of a success of each operation, and an example of its output."]),
    "export const SUCCESSES: Readonly<Record<string, { status: number; example: unknown }>> = {\n",
    ...operations.map((operation) => `  "${operation.id}": ${JSON.stringify(successOf(operation))},\n`),
    `};\n\n${docComment(["The HTTP status and the condition of each error code."])}`,
    "export const REFUSALS = {\n",
    ...Object.entries(ERRORS).map(
      ([code, { status, condition }]) => `  ${code}: ${JSON.stringify({ status, condition })},\n`,
    ),
    "} as const;\n",
  ].join("");
}

function memberOf(operation: Operation, shapes: Declarations): string {
  const about = docComment([`${operation.method} ${operation.path}: ${operation.summary}.`], "    ");
  const input = hasInput(operation) ? `${typePrefixOf(operation)}Input` : "object";
  const schema = toPlainSchema(operation.output);
  const output = isDeclared(schema)
    ? `${typePrefixOf(operation)}Output`
    : shapes.typeOf(schema, typePrefixOf(operation)).replaceAll("<Payload>", "");
  const codes = errorCodesOf(operation).map((code) => JSON.stringify(code));
  const type = operation.stream ? `${output}[]` : output;
  return `${about}    ${verbOf(operation)}: HandlerFactory<${input}, ${type}, ${codes.join(" | ")}>;\n`;
}

/**
 * Returns the names of the types that only this operation uses. Types shared with other operations are
 * omitted.
 */
function declaredTypesOf(operation: Operation): string[] {
  const prefix = typePrefixOf(operation);
  const output = isDeclared(toPlainSchema(operation.output)) ? [`${prefix}Output`] : [];
  return [...(hasInput(operation) ? [`${prefix}Input`] : []), ...output];
}

function hasInput({ fields }: Operation): boolean {
  return Object.keys(fields).length > 0;
}

function successOf(operation: Operation): Json {
  return { status: operation.status, example: outputExample(operation) };
}

/** Returns an example of an operation's output. For a stream, returns a list with one line of each kind. */
function outputExample({ output, stream }: Operation): unknown {
  const schema = toPlainSchema(output);
  if (!stream) return exampleOf(schema);
  const lines = (schema.anyOf as Json[]).map(exampleOf) as { type: string; lines?: number }[];
  const end = lines.find(({ type }) => type === "end")!;
  return [...lines.filter((line) => line !== end), { ...end, lines: lines.length - 1 }];
}

/**
 * Returns the first example of a schema. An object without an example is built from its required properties.
 * A list of objects gets one item, although the OpenAPI document shows an empty list for brevity.
 */
function exampleOf(schema: Json): unknown {
  const items = schema.type === "array" ? (schema.items as Json) : undefined;
  if (items && (isObject(items) || items.anyOf)) return [exampleOf(items)];
  const [example] = (schema.examples as unknown[] | undefined) ?? [];
  if (example !== undefined) return example;
  if ("const" in schema) return schema.const;
  if (schema.anyOf) return exampleOf((schema.anyOf as Json[])[0]!);
  if (!isObject(schema)) throw new Error(`no example for ${JSON.stringify(schema)}`);
  const properties = Object.entries(schema.properties as Record<string, Json>);
  const required = new Set(schema.required as string[] | undefined);
  return Object.fromEntries(
    properties
      .filter(([name]) => required.has(name))
      .map(([name, property]) => [name, isOpenEnd(name, property) ? null : exampleOf(property)]),
  );
}

/**
 * Returns whether null is a field's most typical value. This is true for `next_cursor`, and for times of
 * events that may never happen.
 */
function isOpenEnd(name: string, { type }: Json): boolean {
  return Array.isArray(type) && type.includes("null") && (name === "next_cursor" || name.endsWith("_at"));
}
