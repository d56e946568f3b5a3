import { openApiDocument } from "../../src/generate/openapi.js";

/** Returns this version's OpenAPI document. No daemon is needed. */
export function apiDocument(): Record<string, unknown> {
  return openApiDocument("/v1");
}
