/** Generates the SDK method of an operation. */
import { ERRORS } from "../../contract/errors.js";
import { errorCodesOf, type Operation } from "../../contract/operation.js";
import { docComment } from "./comments.js";
import { errorClassOf } from "./errors.js";
import { exampleInput } from "./examples.js";
import {
  isHeld,
  type Json,
  nameOf,
  nounOf,
  toPascalCase,
  toPlainSchema,
  typePrefixOf,
  verbOf,
} from "./names.js";
import { type Declarations, isObject, typeArgumentOf, typeParameterOf } from "./types.js";

/**
 * Returns the output property that holds the items of a page. Returns undefined if `next_cursor` can never be
 * null, because such a list has no last page, or if the page has items of several kinds.
 */
export function pagedItems(operation: Operation): { key: string; items: Json } | undefined {
  const properties = (operation.output as Json).properties as Record<string, Json> | undefined;
  const next = properties?.next_cursor?.type;
  if (!operation.fields.cursor || !Array.isArray(next) || !next.includes("null")) return undefined;
  const arrays = Object.entries(properties!).filter(([, property]) => property.type === "array");
  if (arrays.length !== 1) return undefined;
  const [key, array] = arrays[0]!;
  return { key, items: array.items as Json };
}

export function methodsOf(operation: Operation, outputs: Declarations): string {
  const output = reference(toPlainSchema(operation.output), `${typePrefixOf(operation)}Output`, outputs);
  if (operation.stream) return lineReader(operation, output);
  const paged = pagedItems(operation);
  if (paged) return listReader(operation, output, paged, outputs);
  return [
    describe(
      operation,
      `const result = await ${receiver(operation)}.${verbOf(operation)}(${exampleInput(operation)});`,
    ),
    `  ${verbOf(operation)}${typeParameter(operation)}(${parameters(operation)}): ApiPromise<${output}> {\n`,
    `    return this.client.call(${descriptor(operation)}, ${inputOf(operation)}, options);\n`,
    "  }\n",
  ].join("");
}

/** Returns the method of an operation that returns a list page by page. */
function listReader(
  operation: Operation,
  output: string,
  { key, items }: { key: string; items: Json },
  outputs: Declarations,
): string {
  const name = `${typePrefixOf(operation)}${toPascalCase(key.replace(/s$/, ""))}`;
  const item = reference(toPlainSchema(items), name, outputs);
  const call = `${receiver(operation)}.${verbOf(operation)}(${exampleInput(operation)})`;
  return [
    describe(operation, `for await (const item of ${call}) console.log(item);\nconst page = await ${call};`),
    `  ${verbOf(operation)}${typeParameter(operation)}(${parameters(operation)}): PagePromise<${output}, ${item}> {\n`,
    `    return this.client.list(${descriptor(operation)}, ${inputOf(operation)}, options, "${key}");\n`,
    "  }\n",
  ].join("");
}

/** Returns the method of an operation that streams JSON lines. */
function lineReader(operation: Operation, line: string): string {
  const verb = verbOf(operation);
  return [
    describe(
      operation,
      `for await (const line of ${receiver(operation)}.${verb}(${exampleInput(operation)})) console.log(line.type);`,
    ),
    `  ${verb}${typeParameter(operation)}(${parameters(operation)}): AsyncGenerator<${line}, void, undefined> {\n`,
    `    return this.client.lines(${descriptor(operation)}, ${inputOf(operation)}, options);\n`,
    "  }\n",
  ].join("");
}

/**
 * Returns the doc comment of a method.
 * @param code the example call
 */
function describe(operation: Operation, code: string): string {
  const errors = errorCodesOf(operation)
    .filter((code) => ERRORS[code].status < 500)
    .map((code) => `\`${errorClassOf(code)}\``);
  return docComment(
    [`${operation.summary}.`, operation.description, `Errors: ${errors.join(", ")}.`, example(code)],
    "  ",
  );
}

const example = (code: string) => `@example\n\`\`\`ts\n${code}\n\`\`\``;

function receiver(operation: Operation): string {
  return `${operation.auth === "key" ? "wr" : "dashboard"}.${nounOf(operation)}`;
}

function parameters(operation: Operation): string {
  const fields = Object.values(operation.fields);
  if (fields.length === 0) return "options?: CallOptions";
  const type = `${typePrefixOf(operation)}Input${typeArgumentOf(operation.input)}`;
  const input = fields.some((field) => field.required) ? `input: ${type}` : `input: ${type} = {}`;
  return `${input}, options?: CallOptions`;
}

function inputOf(operation: Operation): string {
  return Object.keys(operation.fields).length === 0 ? "{}" : "input";
}

function typeParameter(operation: Operation): string {
  return typeParameterOf([operation.input, operation.output]);
}

/** Returns the `Operation` value that the generated method passes to the runtime, as source code. */
function descriptor(operation: Operation): string {
  const parts = [
    `id: "${operation.id}"`,
    `method: "${operation.method}"`,
    `path: "${operation.path}"`,
    operation.method === "POST" && !operation.idempotent ? "once: true" : "",
    isHeld(operation) ? "held: true" : "",
  ];
  return `{ ${parts.filter((part) => part !== "").join(", ")} }`;
}

/**
 * Returns the TypeScript type of a schema.
 * @param declared the name of the type declared for an unnamed object
 */
function reference(schema: Json, declared: string, outputs: Declarations): string {
  if (isObject(schema) && !nameOf(schema)) return `${declared}${outputs.argumentOf(schema)}`;
  return outputs.typeOf(schema, declared);
}
