/** Compiles a schema document to a validator. Each keyword becomes a rule, and each subschema a node. */
import type { Reason } from "../../contract/errors.js";
import { type Resource, SchemaDocument, type Subschema } from "./document.js";
import { SchemaNode, TooManyReasons, ValidationRun } from "./evaluation.js";
import { sortByEvaluationOrder } from "./keywords.js";
import { type LinearRegExp, linearRegExp } from "./regex/index.js";
import { ANY_RULES } from "./rules/any.js";
import { ARRAY_RULES } from "./rules/arrays.js";
import { IN_PLACE_RULES } from "./rules/in-place.js";
import { NUMBER_RULES } from "./rules/numbers.js";
import { OBJECT_RULES } from "./rules/objects.js";
import type { RuleContext, RuleFactory } from "./rules/rule-context.js";
import { STRING_RULES } from "./rules/strings.js";
import { type JsonObject, pointerStep } from "./values.js";

const RULES = new Map<string, RuleFactory>(
  [ANY_RULES, NUMBER_RULES, STRING_RULES, ARRAY_RULES, OBJECT_RULES, IN_PLACE_RULES].flatMap(Object.entries),
);

/**
 * Returns the reasons why a payload is invalid; none if it is valid. Stops early once `shouldStop` returns
 * true.
 */
export type Validator = (payload: unknown, shouldStop?: () => boolean) => Reason[];

/**
 * Compiles a document that `checkSchema` has accepted into a validator. The validator accepts any JSON value.
 * It throws only `ValidationStopped`, soon after `shouldStop` returns true.
 *
 * Ajv 8.20 is not used, because it returns wrong verdicts for `contains` in a loop, `$dynamicRef`, nested
 * `$id`s and `unevaluated*`. It compiles much more slowly, and cannot limit the number of errors. It also
 * caches no verdicts, so it never finishes if each `$ref` of a schema doubles the work.
 * @throws Error if `checkSchema` has not accepted the document
 */
export function compileSchema(document: JsonObject): Validator {
  return compileAndMeasure(document).validator;
}

/** A validator, with counts from which its memory use is estimated. */
export interface MeasuredValidator {
  validator: Validator;
  patterns: number;
  instructions: number;
}

export function compileAndMeasure(document: JsonObject): MeasuredValidator {
  const linker = new Linker(new SchemaDocument(document));
  const validator = validatorOf(linker.link());
  const programs = [...linker.patterns.values()].map(({ programSize }) => programSize);
  return {
    validator,
    patterns: programs.length,
    instructions: programs.reduce((sum, size) => sum + size, 0),
  };
}

function validatorOf(root: SchemaNode): Validator {
  return (payload, shouldStop = never) => {
    const run = new ValidationRun(shouldStop);
    try {
      if (!root.accepts(run, payload)) root.explain(run, payload, "");
    } catch (error) {
      if (error instanceof RangeError) return [TOO_DEEP];
      if (!(error instanceof TooManyReasons)) throw error;
    }
    return run.reasons;
  };
}

const never = () => false;

const TOO_DEEP: Reason = {
  instancePath: "",
  keyword: "depth",
  message: "the payload and the schema are together nested too deeply to validate; flatten one of them",
};

class Linker {
  /** The document's compiled patterns, without duplicates. */
  readonly patterns = new Map<string, LinearRegExp>();
  readonly #nodes = new Map<string, SchemaNode>();
  readonly #references = new Map<SchemaNode, number>();
  readonly #isDynamic: boolean;

  constructor(readonly document: SchemaDocument) {
    this.#isDynamic = [...document.subschemas.values()].some(
      ({ schema }) => typeof schema === "object" && "$dynamicRef" in schema,
    );
  }

  link(): SchemaNode {
    for (const pointer of this.document.subschemas.keys()) this.#nodes.set(pointer, new SchemaNode());
    for (const subschema of this.document.subschemas.values()) this.#fill(subschema);
    for (const [pointer, node] of this.#nodes) {
      if (this.#isDynamic) node.resource = this.document.subschemas.get(pointer)?.resource;
      else node.cachesVerdicts = this.#isShared(pointer, node);
    }
    return this.#node("");
  }

  #fill(subschema: Subschema): void {
    const node = this.#node(subschema.pointer);
    const { schema } = subschema;
    if (schema === true) return;
    if (schema === false) {
      node.rules.push(NEVER);
      return;
    }
    const context = this.#context(subschema, schema);
    for (const keyword of sortByEvaluationOrder(Object.keys(schema))) {
      const rule = RULES.get(keyword)?.(schema[keyword] as never, context);
      if (rule) (keyword.startsWith("unevaluated") ? node.lastRules : node.rules).push(rule);
    }
  }

  #context(subschema: Subschema, schema: JsonObject): RuleContext {
    return {
      schema,
      child: (...steps) => this.#node(subschema.pointer + steps.map(pointerStep).join("")),
      target: (reference) => {
        const target = this.document.resolve(subschema, reference);
        if (target === undefined) throw new Error(`${reference} does not resolve`);
        const node = this.#node(target.subschema.pointer);
        this.#references.set(node, (this.#references.get(node) ?? 0) + 1);
        return { node, dynamic: target.dynamic };
      },
      matcher: (pattern) => this.#pattern(pattern).test,
      dynamicAnchor: (resource, name) => this.#dynamicAnchor(resource, name),
    };
  }

  #pattern(pattern: string): LinearRegExp {
    const known = this.patterns.get(pattern);
    if (known) return known;
    const compiled = linearRegExp(pattern);
    this.patterns.set(pattern, compiled);
    return compiled;
  }

  #dynamicAnchor(resource: Resource, name: string): SchemaNode | undefined {
    const subschema = resource.dynamicAnchors.get(name);
    return subschema && this.#nodes.get(subschema.pointer);
  }

  /**
   * Returns whether validation can apply the schema twice to one value. This is possible with two references,
   * or with one reference to a schema outside `$defs`, which also applies where it is written.
   */
  #isShared(pointer: string, node: SchemaNode): boolean {
    const references = this.#references.get(node) ?? 0;
    return references > 1 || (references === 1 && !/\/(\$defs|definitions)\/[^/]*$/.test(pointer));
  }

  #node(pointer: string): SchemaNode {
    const node = this.#nodes.get(pointer);
    if (node === undefined) throw new Error(`no schema at ${pointer}`);
    return node;
  }
}

const NEVER = {
  accepts: () => false,
  explain: (run: ValidationRun, _value: unknown, path: string) =>
    run.report(path, "false", "must not be present"),
};
