import { JsonError, parseJson } from "../../src/kernel/strict-json.js";

/**
 * Returns why the service would reject a JSON text, for example because of a duplicate key. Returns undefined
 * for valid text.
 * @param depth nesting levels of the request body around the value: 1 for a field, 0 for a whole body
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
