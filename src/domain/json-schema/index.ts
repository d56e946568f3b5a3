export { checkSchema, MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH } from "./check.js";
export { compileSchema } from "./compile.js";
export type { JsonObject, JsonSchema } from "./values.js";
