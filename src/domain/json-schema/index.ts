export { checkSchema, findSizeProblem } from "./check.js";
export { compileAndMeasure, compileSchema, type MeasuredValidator, type Validator } from "./compile.js";
export { ValidationStopped } from "./evaluation.js";
export type { JsonObject, JsonSchema } from "./values.js";
