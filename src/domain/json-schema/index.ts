export { checkSchema } from "./check.js";
export { compileSchema, type Validator } from "./compile.js";
export { Stopped } from "./evaluation.js";
export type { JsonObject, JsonSchema } from "./values.js";
