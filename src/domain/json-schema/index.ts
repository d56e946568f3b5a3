export { checkSchema } from "./check.js";
export { compileSchema } from "./compile.js";
export type { JsonObject, JsonSchema } from "./values.js";
