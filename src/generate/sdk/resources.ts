/** Generates a noun's file: the input and output types, and a class with a method for each operation. */
import type { Operation } from "../../contract/operation.js";
import { docComment } from "./comments.js";
import { importStatement, typeImportStatement } from "./imports.js";
import { methodOf, pagedItems } from "./methods.js";
import { containsPayload, resourceClassOf, SHAPES, toPlainSchema, typePrefixOf } from "./names.js";
import { Declarations, isDeclared } from "./types.js";

export function shapesFile(): string {
  const inputs = new Declarations("input");
  const outputs = new Declarations("output");
  for (const [name, schema] of Object.entries(SHAPES)) {
    const declarations = name.endsWith("Input") ? inputs : outputs;
    declarations.declare(name, toPlainSchema(schema));
  }
  return `${inputs.text()}\n${outputs.text()}`;
}

/**
 * Returns the content of a noun's file.
 * @param description the doc comment of the class
 */
export function resourceFile(noun: string, operations: readonly Operation[], description: string): string {
  const inputs = new Declarations("input");
  const outputs = new Declarations("output");
  // If an operation sends a payload, `Payload` is the type of the sent payload only. Received payloads are
  // unknown.
  const replies = new Declarations("output", false);
  const outputsOf = ({ input }: Operation) => (containsPayload(input) ? replies : outputs);
  for (const operation of operations) {
    const stem = typePrefixOf(operation);
    const fields = Object.keys(operation.fields);
    if (fields.length > 0)
      inputs.declare(
        `${stem}Input`,
        toPlainSchema(operation.input),
        `The input of \`${operation.id}\`.`,
        stem,
      );
    const output = toPlainSchema(operation.output);
    if (isDeclared(output))
      outputsOf(operation).declare(`${stem}Output`, output, `The output of \`${operation.id}\`.`, stem);
  }
  const methods = operations.map((operation) => methodOf(operation, outputsOf(operation))).join("\n");
  const shapes = [...new Set([...inputs.used, ...outputs.used, ...replies.used])].sort();
  const isPaged = (operation: Operation) => pagedItems(operation) !== undefined;
  const isCall = (operation: Operation) => !operation.stream && !isPaged(operation);
  return [
    operations.some(isCall) ? typeImportStatement("ApiPromise", "../runtime/api-promise.js") : "",
    typeImportStatement("CallOptions", "../runtime/operation.js"),
    operations.some(isPaged) ? typeImportStatement("PagePromise", "../runtime/pages.js") : "",
    importStatement("Resource", "../runtime/resource.js"),
    typeImportStatement(shapes, "./shapes.js"),
    `\n${[inputs.text(), replies.text(), outputs.text()].filter((text) => text !== "").join("\n")}`,
    `\n${docComment([description])}export class ${resourceClassOf(noun)} extends Resource {\n${methods}}\n`,
  ].join("");
}
