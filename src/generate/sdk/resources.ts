/** One noun → one file: its inputs, its outputs, and a class with a method for each operation. */
import type { Operation } from "../../contract/operation.js";
import { comment } from "./comments.js";
import { importLine, importTypes } from "./imports.js";
import { methodsOf, pagedItems } from "./methods.js";
import { nameOf, plain, resourceClassOf, SHAPES, stemOf } from "./names.js";
import { Declarations, isObject } from "./types.js";

/** The shapes that have names. */
export function shapesFile(): string {
  const inputs = new Declarations("input");
  const outputs = new Declarations("output");
  for (const [name, schema] of Object.entries(SHAPES)) {
    const declarations = name.endsWith("Input") ? inputs : outputs;
    declarations.declare(name, plain(schema));
  }
  return `${inputs.text()}\n${outputs.text()}`;
}

export function resourceFile(noun: string, operations: readonly Operation[], about: string): string {
  const inputs = new Declarations("input");
  const outputs = new Declarations("output");
  for (const operation of operations) {
    const stem = stemOf(operation);
    const fields = Object.keys(operation.fields);
    if (fields.length > 0)
      inputs.declare(`${stem}Input`, plain(operation.input), `What \`${operation.id}\` takes.`, stem);
    const output = plain(operation.output);
    if (isObject(output) && !nameOf(output))
      outputs.declare(`${stem}Output`, output, `What \`${operation.id}\` gives.`, stem);
  }
  const methods = operations.map((operation) => methodsOf(operation, outputs)).join("\n");
  const shapes = [...new Set([...inputs.used, ...outputs.used])].sort();
  const paged = operations.some((operation) => pagedItems(operation));
  return [
    importTypes("ApiPromise", "../runtime/api-promise.js"),
    importTypes("CallOptions", "../runtime/operation.js"),
    paged ? importLine("items", "../runtime/pages.js") : "",
    importLine("Resource", "../runtime/resource.js"),
    importTypes(shapes, "./shapes.js"),
    `\n${[inputs.text(), outputs.text()].filter((text) => text !== "").join("\n")}`,
    `\n${comment([about])}export class ${resourceClassOf(noun)} extends Resource {\n${methods}}\n`,
  ].join("");
}
