/** Generates the SDK method of an operation. */
import { ERRORS } from "../../contract/errors.js";
import { errorCodesOf, type Operation } from "../../contract/operation.js";
import { docComment } from "./comments.js";
import { errorClassOf } from "./errors.js";
import { exampleInput, source } from "./examples.js";
import {
  descriptorOf,
  type Json,
  nounOf,
  toPascalCase,
  toPlainSchema,
  typePrefixOf,
  verbOf,
} from "./names.js";
import { type Declarations, isDeclared, typeArgumentOf, typeParameterOf } from "./types.js";

/**
 * Returns the output property that holds a page's items. Returns undefined if `next_cursor` can never be
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

/** Returns an operation's method: a single call, or a reader for a list or a stream. */
export function methodOf(operation: Operation, outputs: Declarations): string {
  const output = reference(toPlainSchema(operation.output), `${typePrefixOf(operation)}Output`, outputs);
  const call = `${receiver(operation)}.${verbOf(operation)}(${exampleInput(operation)})`;
  if (operation.stream)
    return method(operation, {
      type: `AsyncGenerator<${output}, void, undefined>`,
      send: "lines",
      example: `for await (const line of ${call}) console.log(line.type);`,
    });
  const paged = pagedItems(operation);
  if (!paged)
    return method(operation, {
      type: `ApiPromise<${output}>`,
      send: "call",
      example: `const result = await ${call};`,
    });
  const itemName = `${typePrefixOf(operation)}${toPascalCase(paged.key.replace(/s$/, ""))}`;
  const item = reference(toPlainSchema(paged.items), itemName, outputs);
  return method(operation, {
    type: `PagePromise<${output}, ${item}>`,
    send: "list",
    example: `for await (const item of ${call}) console.log(item);\nconst page = await ${call};`,
    argument: `, "${paged.key}"`,
  });
}

interface Method {
  type: string;
  send: "call" | "list" | "lines";
  example: string;
  /** Source code of a further argument of the method. */
  argument?: string;
}

function method(operation: Operation, { type, send, example, argument = "" }: Method): string {
  const head = `  ${verbOf(operation)}${typeParameter(operation)}(${parameters(operation)}): ${type} {\n`;
  const call = `this.client.${send}(${source(descriptorOf(operation))}, ${inputOf(operation)}, options${argument})`;
  return `${describe(operation, example)}${head}    return ${call};\n  }\n`;
}

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

function reference(schema: Json, declared: string, outputs: Declarations): string {
  if (isDeclared(schema)) return `${declared}${outputs.argumentOf(schema)}`;
  return outputs.typeOf(schema, declared);
}
