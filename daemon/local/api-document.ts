import { openApiDocument } from "../../src/generate/openapi.js";

/** Returns the OpenAPI document of this version, without a daemon. */
export function apiDocument(): Record<string, unknown> {
  return openApiDocument("/v1");
}
