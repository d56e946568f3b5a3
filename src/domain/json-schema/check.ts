import type { Reason } from "../../contract/errors.js";
import { MAX_SCHEMA_BYTES } from "../../contract/fields.js";
import { MAX_JSON_DEPTH } from "../../kernel/strict-json.js";
import { compileSchema } from "./compile.js";
import { SchemaDocument, type Subschema } from "./document.js";
import { FORMATS } from "./formats/index.js";
import { DIALECT, validateAgainstMetaSchema } from "./meta-schema.js";
import { ReasonList } from "./reason-list.js";
import { findInfiniteRecursion } from "./recursion.js";
import { linearRegExp, PatternError } from "./regex/index.js";
import { formatValue, isDeeperThan, isObject, type JsonObject, pointerStep, typeName } from "./values.js";

/** A request body may have 64 levels, and an inline schema is inside two of them. */
const MAX_SCHEMA_DEPTH = MAX_JSON_DEPTH - 2;

/**
 * Checks a document before it is registered or used as an inline schema
 * (docs/specification/schemas.md#accepted-documents). Returns the reasons to reject the document, or none if
 * `compileSchema` can compile it. Never throws.
 */
export function checkSchema(document: unknown): Reason[] {
  try {
    return ReasonList.firstOf(findProblems(document));
  } catch (error) {
    const message = `cannot be compiled: ${error instanceof Error ? error.message : String(error)}`;
    return [reason("", "schema", message)];
  }
}

export function findSizeProblem(text: string): Reason | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_SCHEMA_BYTES) return undefined;
  return reason("", "size", `a schema may have at most ${MAX_SCHEMA_BYTES} bytes, not ${bytes}`);
}

function findProblems(document: unknown): Reason[] {
  if (!isObject(document))
    return [reason("", "type", `a schema must be an object, not ${typeName(document)}`)];
  if (isDeeperThan(document, MAX_SCHEMA_DEPTH - 1)) {
    return [reason("", "depth", `a schema may be nested at most ${MAX_SCHEMA_DEPTH} levels deep`)];
  }
  const tooLarge = findSizeProblem(JSON.stringify(document));
  if (tooLarge) return [tooLarge];
  const invalid = validateAgainstMetaSchema(document);
  if (invalid.length > 0) return invalid.map(explainOlderDraft);
  const schemas = new SchemaDocument(document);
  const problems = [...schemas.problems];
  for (const subschema of schemas.subschemas.values()) {
    if (isObject(subschema.schema)) problems.push(...findProblemsOf(subschema.schema, subschema, schemas));
  }
  if (problems.length === 0) problems.push(...findInfiniteRecursion(schemas));
  if (problems.length === 0) compileSchema(document);
  return problems;
}

const TUPLE =
  /(?<!\/(?:properties|patternProperties|\$defs|definitions|dependentSchemas|dependencies))\/items$/;

function explainOlderDraft(invalid: Reason): Reason {
  const { instancePath, message } = invalid;
  const say = (text: string) => ({ ...invalid, message: text });
  if (message.endsWith("not array") && TUPLE.test(instancePath))
    return say('must be one schema, not an array; use "prefixItems" for a tuple, and "items" for the rest');
  const limit = /\/exclusive(Minimum|Maximum)$/.exec(instancePath)?.[1]?.toLowerCase();
  if (message.endsWith("not boolean") && limit !== undefined)
    return say(`must be a number, not boolean; give the limit here instead of in "${limit}"`);
  return invalid;
}

function findProblemsOf(schema: JsonObject, at: Subschema, document: SchemaDocument): Reason[] {
  const { pointer } = at;
  const problems: Reason[] = [];
  const { $schema, format, pattern } = schema;
  if ($schema !== undefined && $schema !== DIALECT && $schema !== `${DIALECT}#`) {
    problems.push(
      reason(`${pointer}/$schema`, "$schema", `must be ${formatValue(DIALECT)}, not ${formatValue($schema)}`),
    );
  }
  if (typeof format === "string" && !FORMATS.has(format)) {
    const known = [...FORMATS.keys()].sort().map(formatValue).join(", ");
    problems.push(
      reason(
        `${pointer}/format`,
        "format",
        `${formatValue(format)} is not a supported format; supported formats: ${known}`,
      ),
    );
  }
  if (typeof pattern === "string")
    problems.push(...findPatternProblem(pattern, `${pointer}/pattern`, "pattern"));
  for (const name of Object.keys((schema.patternProperties as JsonObject | undefined) ?? {})) {
    const where = `${pointer}/patternProperties${pointerStep(name)}`;
    problems.push(...findPatternProblem(name, where, "patternProperties"));
  }
  for (const keyword of ["$ref", "$dynamicRef"]) {
    const reference = schema[keyword];
    if (typeof reference !== "string" || document.resolve(at, reference)) continue;
    const allowed = "a reference must point to a schema in the same document, by JSON Pointer, anchor or $id";
    problems.push(
      reason(`${pointer}/${keyword}`, keyword, `${formatValue(reference)} does not resolve; ${allowed}`),
    );
  }
  problems.push(...findKeywordsWithoutEffect(schema, pointer));
  return problems;
}

function findPatternProblem(pattern: string, where: string, keyword: string): Reason[] {
  try {
    linearRegExp(pattern);
    return [];
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return [reason(where, keyword, `the pattern ${formatValue(pattern)} cannot be used: ${error.message}`)];
  }
}

/**
 * Keywords that have no effect unless the schema has at least one of the listed keywords. A keyword without
 * effect is rejected as a mistake, as in Ajv's `strictSchema`.
 */
const NEEDS: [keyword: string, anyOf: string[]][] = [
  ["if", ["then", "else"]],
  ["then", ["if"]],
  ["else", ["if"]],
  ["minContains", ["contains"]],
  ["maxContains", ["contains"]],
];

function findKeywordsWithoutEffect(schema: JsonObject, pointer: string): Reason[] {
  const problems = NEEDS.filter(
    ([keyword, others]) =>
      Object.hasOwn(schema, keyword) && !others.some((other) => Object.hasOwn(schema, other)),
  ).map(([keyword, others]) =>
    reason(`${pointer}/${keyword}`, keyword, `"${keyword}" has no effect without "${others.join('" or "')}"`),
  );
  const { minContains, maxContains } = schema;
  if (typeof minContains === "number" && typeof maxContains === "number" && minContains > maxContains) {
    const message = `must be at most "maxContains" (${maxContains}); otherwise no array is valid`;
    problems.push(reason(`${pointer}/minContains`, "minContains", message));
  }
  return problems;
}

function reason(instancePath: string, keyword: string, message: string): Reason {
  return { instancePath, keyword, message };
}
