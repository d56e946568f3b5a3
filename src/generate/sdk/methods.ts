/** One operation → one method, and an iterator where it has pages. */
import { ERRORS } from "../../contract/errors.js";
import { errorsOf, type Operation } from "../../contract/operation.js";
import { comment } from "./comments.js";
import { errorClassOf } from "./errors.js";
import { exampleInput } from "./examples.js";
import { type Json, nameOf, nounOf, pascal, plain, stemOf, verbOf } from "./names.js";
import { argument, type Declarations, isObject, parameter } from "./types.js";

/** The property whose items an operation gives page by page; undefined where it has no pages that end. */
export function pagedItems(operation: Operation): { key: string; items: Json } | undefined {
  const properties = (operation.output as Json).properties as Record<string, Json> | undefined;
  const next = properties?.next_cursor?.type;
  if (!operation.fields.cursor || !Array.isArray(next) || !next.includes("null")) return undefined;
  const arrays = Object.entries(properties!).filter(([, property]) => property.type === "array");
  if (arrays.length !== 1) throw new Error(`${operation.id}: which of its arrays has pages?`);
  const [key, array] = arrays[0]!;
  return { key, items: array.items as Json };
}

export function methodsOf(operation: Operation, outputs: Declarations): string {
  const output = reference(plain(operation.output), `${stemOf(operation)}Output`, outputs);
  if (operation.stream) return lineReader(operation, output);
  const method = [
    describe(
      operation,
      `const answer = await ${receiver(operation)}.${verbOf(operation)}(${exampleInput(operation)});`,
    ),
    `  ${verbOf(operation)}${typeParameter(operation)}(${parameters(operation)}): ApiPromise<${output}> {\n`,
    `    return this.client.call(${descriptor(operation)}, ${inputOf(operation)}, options);\n`,
    "  }\n",
  ].join("");
  return `${method}${iterator(operation, outputs)}`;
}

/** The method of an operation that answers JSON lines: they are given as they come in. */
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

function iterator(operation: Operation, outputs: Declarations): string {
  const paged = pagedItems(operation);
  if (!paged) return "";
  const name = `${verbOf(operation)}All`;
  const { key, items } = paged;
  const item = reference(plain(items), `${stemOf(operation)}${pascal(key.replace(/s$/, ""))}`, outputs);
  const about = comment(
    [
      `Every item of {@link ${verbOf(operation)}}, page after page; \`limit\` is the size of a page.`,
      example(
        `for await (const item of ${receiver(operation)}.${name}(${exampleInput(operation)})) console.log(item);`,
      ),
    ],
    "  ",
  );
  return [
    `\n${about}  ${name}${typeParameter(operation)}(${parameters(operation)}): AsyncGenerator<${item}, void, undefined> {\n`,
    `    return items(${inputOf(operation)}, (page) => this.${verbOf(operation)}${argumentOf(operation)}(page, options), "${key}");\n`,
    "  }\n",
  ].join("");
}

/** @param code how it is called */
function describe(operation: Operation, code: string): string {
  const errors = errorsOf(operation)
    .filter((code) => ERRORS[code].status < 500)
    .map((code) => `\`${errorClassOf(code)}\``);
  return comment(
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
  const type = `${stemOf(operation)}Input${argument(operation.input)}`;
  const input = fields.some((field) => field.required) ? `input: ${type}` : `input: ${type} = {}`;
  return `${input}, options?: CallOptions`;
}

function inputOf(operation: Operation): string {
  return Object.keys(operation.fields).length === 0 ? "{}" : "input";
}

function typeParameter(operation: Operation): string {
  return parameter([operation.input, operation.output]);
}

function argumentOf(operation: Operation): string {
  return argument([operation.input, operation.output]);
}

/** What the runtime has to know of an operation, as source. */
function descriptor(operation: Operation): string {
  const parts = [
    `id: "${operation.id}"`,
    `method: "${operation.method}"`,
    `path: "${operation.path}"`,
    operation.method === "POST" && !operation.idempotent ? "once: true" : "",
    operation.fields.wait ? "held: true" : "",
  ];
  return `{ ${parts.filter((part) => part !== "").join(", ")} }`;
}

/** The type of a schema: an object without a name of its own was declared as `declared`. */
function reference(schema: Json, declared: string, outputs: Declarations): string {
  if (isObject(schema) && !nameOf(schema)) return `${declared}${argument(schema)}`;
  return outputs.typeOf(schema, declared);
}
