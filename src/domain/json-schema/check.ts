import type { Reason } from "../../contract/errors.js";
import { MAX_SCHEMA_BYTES } from "../../contract/fields.js";
import { compileSchema } from "./compile.js";
import { SchemaDocument, type Subschema } from "./document.js";
import { MAX_REASONS } from "./evaluation.js";
import { FORMATS } from "./formats/index.js";
import { DIALECT, validateAgainstMetaSchema } from "./meta-schema.js";
import { findEndlessRecursion } from "./recursion.js";
import { linearRegExp, PatternError } from "./regex/index.js";
import { isDeeperThan, isObject, type JsonObject, pointerStep, show, typeName } from "./values.js";

/** Levels of arrays and objects in a document: a payload nests 64 deep, and describing a level takes two or three. */
const MAX_SCHEMA_DEPTH = 200;

/**
 * Whether a document may be registered as a schema, or set as an inline one (decisions, section 7). Gives the reasons
 * why not, with `instancePath` as a JSON Pointer into the document; none where `compileSchema` can run it. Never throws.
 */
export function checkSchema(document: unknown): Reason[] {
  try {
    return findProblems(document).slice(0, MAX_REASONS);
  } catch (error) {
    const message = `cannot be compiled: ${error instanceof Error ? error.message : String(error)}`;
    return [reason("", "schema", message)];
  }
}

function findProblems(document: unknown): Reason[] {
  if (!isObject(document))
    return [reason("", "type", `a schema must be an object, not ${typeName(document)}`)];
  if (isDeeperThan(document, MAX_SCHEMA_DEPTH)) {
    return [reason("", "depth", `a schema may nest at most ${MAX_SCHEMA_DEPTH} levels deep`)];
  }
  const bytes = Buffer.byteLength(JSON.stringify(document));
  if (bytes > MAX_SCHEMA_BYTES) {
    return [reason("", "size", `a schema may have at most ${MAX_SCHEMA_BYTES} bytes as JSON, not ${bytes}`)];
  }
  const invalid = validateAgainstMetaSchema(document);
  if (invalid.length > 0) return invalid;
  const schemas = new SchemaDocument(document);
  const problems = [...schemas.problems];
  for (const subschema of schemas.subschemas.values()) {
    if (isObject(subschema.schema)) problems.push(...findProblemsOf(subschema.schema, subschema, schemas));
  }
  if (problems.length === 0) problems.push(...findEndlessRecursion(schemas));
  if (problems.length === 0) compileSchema(document);
  return problems;
}

function findProblemsOf(schema: JsonObject, at: Subschema, document: SchemaDocument): Reason[] {
  const { pointer } = at;
  const problems: Reason[] = [];
  const { $schema, format, pattern } = schema;
  if ($schema !== undefined && $schema !== DIALECT && $schema !== `${DIALECT}#`) {
    problems.push(reason(`${pointer}/$schema`, "$schema", `must be ${show(DIALECT)}, not ${show($schema)}`));
  }
  if (typeof format === "string" && !FORMATS.has(format)) {
    const known = [...FORMATS.keys()].sort().map(show).join(", ");
    problems.push(
      reason(`${pointer}/format`, "format", `${show(format)} is not a known format: known are ${known}`),
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
    const allowed =
      "a reference must lead to a schema inside of the document: a fragment, an anchor or the $id of a subschema";
    problems.push(
      reason(`${pointer}/${keyword}`, keyword, `${show(reference)} does not resolve: ${allowed}`),
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
    return [reason(where, keyword, `the pattern ${show(pattern)} cannot be used: ${error.message}`)];
  }
}

/** What Ajv's `strictSchema` refuses too, as it is never meant: keywords that do nothing without another one. */
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
    const message = `must be at most "maxContains" (${maxContains}): no array can have ${minContains} or more as well`;
    problems.push(reason(`${pointer}/minContains`, "minContains", message));
  }
  return problems;
}

function reason(instancePath: string, keyword: string, message: string): Reason {
  return { instancePath, keyword, message };
}
