import { EvaluatedParts, type Rule, type SchemaNode, type ValidationRun } from "../evaluation.js";
import { formatValue, isObject, type JsonObject } from "../values.js";
import { dependentRequired } from "./objects.js";
import type { RuleContext, RuleFactory } from "./rule-context.js";

/**
 * Rules for keywords that apply subschemas to the value itself, not to its items or properties (JSON Schema
 * 2020-12 core, sections 8.2.3 and 10.2).
 */
export const IN_PLACE_RULES: Record<string, RuleFactory> = {
  $ref: (reference: string, context) => delegate(context.target(reference).node),
  $dynamicRef: (reference: string, context) => dynamicRef(reference, context),
  allOf: (schemas: unknown[], context) =>
    allOf(schemas.map((_schema, index) => context.child("allOf", index))),
  anyOf: (schemas: unknown[], context) =>
    anyOf(schemas.map((_schema, index) => context.child("anyOf", index))),
  oneOf: (schemas: unknown[], context) =>
    oneOf(schemas.map((_schema, index) => context.child("oneOf", index))),
  not: (schema: unknown, context) => {
    const node = context.child("not");
    return {
      accepts: (run, value) => !node.accepts(run, value),
      explain: (run, _value, path) =>
        run.report(path, "not", `must not match the schema of "not", ${formatValue(schema)}`),
    };
  },
  if: (_schema: unknown, context) => ifThenElse(context),
  dependentSchemas: (schemas: JsonObject, context) =>
    dependentSchemas("dependentSchemas", Object.keys(schemas), context),
  dependencies: (value: JsonObject, context) => {
    const lists = Object.entries(value).filter(([, needs]) => Array.isArray(needs)) as [string, string[]][];
    const schemas = Object.keys(value).filter((name) => !Array.isArray(value[name]));
    const names = dependentRequired("dependencies", Object.fromEntries(lists));
    const rest = dependentSchemas("dependencies", schemas, context);
    return {
      accepts: (run, value, evaluated) =>
        names.accepts(run, value, evaluated) && rest.accepts(run, value, evaluated),
      explain(run, value, path, evaluated) {
        names.explain(run, value, path, evaluated);
        rest.explain(run, value, path, evaluated);
      },
    };
  },
};

/**
 * Validates a value with a subschema that may reject it. The properties or items that the subschema evaluates
 * count only if the subschema accepts the value (JSON Schema 2020-12 core, section 7.7.1).
 */
function acceptsOptionally(
  node: SchemaNode,
  run: ValidationRun,
  value: unknown,
  evaluated: EvaluatedParts | undefined,
): boolean {
  if (evaluated === undefined) return node.accepts(run, value);
  const own = new EvaluatedParts();
  const verdict = node.accepts(run, value, own);
  if (verdict) evaluated.add(own);
  return verdict;
}

function delegate(node: SchemaNode): Rule {
  return {
    accepts: (run, value, evaluated) => node.accepts(run, value, evaluated),
    explain: (run, value, path) => node.explain(run, value, path),
  };
}

/**
 * Returns the rule of `$dynamicRef` (JSON Schema 2020-12 core, section 8.2.3.2). The target is the anchor
 * with this name in the outermost schema resource that validation has entered.
 */
function dynamicRef(reference: string, context: RuleContext): Rule {
  const { node, dynamic } = context.target(reference);
  if (dynamic === undefined) return delegate(node);
  const inScope = (run: ValidationRun): SchemaNode => {
    for (const resource of run.scope) {
      const outer = context.dynamicAnchor(resource, dynamic);
      if (outer) return outer;
    }
    return node;
  };
  return {
    accepts: (run, value, evaluated) => inScope(run).accepts(run, value, evaluated),
    explain: (run, value, path) => inScope(run).explain(run, value, path),
  };
}

function allOf(nodes: SchemaNode[]): Rule {
  return {
    accepts(run, value, evaluated) {
      for (const node of nodes) if (!node.accepts(run, value, evaluated)) return false;
      return true;
    },
    explain(run, value, path) {
      for (const node of nodes) if (!node.accepts(run, value)) node.explain(run, value, path);
    },
  };
}

function anyOf(nodes: SchemaNode[]): Rule {
  return {
    accepts(run, value, evaluated) {
      if (evaluated === undefined) return nodes.some((node) => node.accepts(run, value));
      let verdict = false;
      for (const node of nodes) verdict = acceptsOptionally(node, run, value, evaluated) || verdict;
      return verdict;
    },
    explain(run, value, path) {
      run.report(path, "anyOf", `must match at least one of the ${nodes.length} schemas of "anyOf"`);
      for (const node of nodes) node.explain(run, value, path);
    },
  };
}

function oneOf(nodes: SchemaNode[]): Rule {
  return {
    accepts(run, value, evaluated) {
      let matches = 0;
      for (const node of nodes)
        if (acceptsOptionally(node, run, value, evaluated) && ++matches > 1) return false;
      return matches === 1;
    },
    explain(run, value, path) {
      const matching = nodes.flatMap((node, index) => (node.accepts(run, value) ? [index] : []));
      const found = matching.length > 0 ? `, but matches those at index ${matching.join(", ")}` : "";
      run.report(path, "oneOf", `must match exactly one of the ${nodes.length} schemas of "oneOf"${found}`);
      if (matching.length === 0) for (const node of nodes) node.explain(run, value, path);
    },
  };
}

function ifThenElse(context: RuleContext): Rule {
  const condition = context.child("if");
  const then = "then" in context.schema ? context.child("then") : undefined;
  const otherwise = "else" in context.schema ? context.child("else") : undefined;
  return {
    accepts(run, value, evaluated) {
      const branch = acceptsOptionally(condition, run, value, evaluated) ? then : otherwise;
      return branch === undefined || branch.accepts(run, value, evaluated);
    },
    explain(run, value, path) {
      const branch = condition.accepts(run, value) ? then : otherwise;
      branch?.explain(run, value, path);
    },
  };
}

function dependentSchemas(keyword: string, triggers: string[], context: RuleContext): Rule {
  const nodes = triggers.map((trigger): [string, SchemaNode] => [trigger, context.child(keyword, trigger)]);
  return {
    accepts(run, value, evaluated) {
      if (!isObject(value)) return true;
      for (const [trigger, node] of nodes) {
        if (Object.hasOwn(value, trigger) && !node.accepts(run, value, evaluated)) return false;
      }
      return true;
    },
    explain(run, value, path) {
      for (const [trigger, node] of nodes) {
        if (!Object.hasOwn(value as JsonObject, trigger) || node.accepts(run, value)) continue;
        run.report(
          path,
          keyword,
          `must match the schema of "${keyword}" for the property ${formatValue(trigger)}`,
        );
        node.explain(run, value, path);
      }
    },
  };
}
