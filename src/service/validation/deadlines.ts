/** Deadlines for schema work, and the reasons that callers get if work misses a deadline. */
import type { Reason } from "../../contract/errors.js";

/** Deadline for validating a payload against all its candidate schemas. Compiling them does not count. */
export const VALIDATION_DEADLINE_MS = 250;
/** Deadline for compiling, checking or comparing schema documents. */
export const DOCUMENT_DEADLINE_MS = 5_000;

export const TOO_DEEP: Reason = {
  instancePath: "",
  keyword: "depth",
  message: "the schema nests too deeply",
};
export const TOO_COMPLEX: Reason = {
  instancePath: "",
  keyword: "timeout",
  message: `compiling the schema takes longer than ${DOCUMENT_DEADLINE_MS} ms; simplify the schema`,
};
export const NOT_COMPARABLE: Reason = {
  instancePath: "",
  keyword: "compat",
  message: `comparing the schemas takes longer than ${DOCUMENT_DEADLINE_MS} ms; simplify the schema, or register it under another subject`,
};
export const TOO_SLOW: Reason = {
  instancePath: "",
  keyword: "timeout",
  message: `validation takes longer than ${VALIDATION_DEADLINE_MS} ms; simplify the schema or send a smaller payload`,
};
