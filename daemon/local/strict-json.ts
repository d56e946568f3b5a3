import { JsonError, parseJson } from "../../src/kernel/strict-json.js";

/**
 * Returns why the service would refuse a JSON text, such as for a duplicate key, or undefined.
 * @param depth levels of the request body around the value: 1 for a field, 0 for a whole body
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
