/** Functions of the service that the command line runs itself, without a daemon. */
import type { Reason } from "../../src/contract/errors.js";
import { packageFile } from "../../src/kernel/package-file.js";
import { JsonError, parseJson } from "../../src/kernel/strict-json.js";
import type { importSchema as ImportSchema } from "../../src/service/schemas/import.js";
import type { Resolve } from "../../src/service/schemas/references.js";

export { makeFolder } from "../../src/kernel/make-folder.js";
export type { Change, ImportedSchema } from "../../src/service/schemas/import.js";
export type { Resolve } from "../../src/service/schemas/references.js";

/** Path of the built command line, which Node runs. */
export const COMMAND = packageFile("dist/cli/main.js");

/** Returns the JSON Schema of each operation's result, or of its lines, by the operation's name. */
export async function resultSchemas(): Promise<ReadonlyMap<string, unknown>> {
  const { operations } = await import("../../src/contract/index.js");
  return new Map(operations.map(({ id, output }) => [id, output]));
}

/**
 * Returns why the service would reject a JSON text, for example because of a duplicate key. Returns undefined
 * for valid text.
 * @param depth nesting levels around the value in the request body: 1 for a field, 0 for the body
 */
export function strictJsonProblem(text: string, depth: number): string | undefined {
  try {
    parseJson(text, -depth);
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return error.pointer === "" ? error.message : `${error.pointer}: ${error.message}`;
  }
}

/**
 * Validates a JSON Schema document and a payload exactly as the service does, with the same time limits.
 * `refused` means that the service would not register the document.
 */
export async function judgePayload(
  document: unknown,
  payload: unknown,
): Promise<{ refused: readonly Reason[] } | { errors: readonly Reason[] }> {
  const { Validators } = await import("../../src/service/validation/index.js");
  const validators = new Validators();
  // The validator limits the work per account, but this command has a single caller.
  const account = "local";
  try {
    const refused = await validators.check(account, document);
    if (refused.length > 0) return { refused };
    const schemas = [{ key: "checked", document: document as object }];
    const verdict = await validators.validate(account, schemas, payload);
    return { errors: "accepted" in verdict ? [] : verdict.errors };
  } finally {
    validators.close();
  }
}

/** Converts a JSON Schema of an older draft to a document that the service can register. */
export const importSchema: typeof ImportSchema = async (source, load) =>
  (await import("../../src/service/schemas/import.js")).importSchema(source, load);

export async function referencesIn(document: Record<string, unknown>): Promise<Resolve> {
  return (await import("../../src/service/schemas/references.js")).referencesIn(document);
}
