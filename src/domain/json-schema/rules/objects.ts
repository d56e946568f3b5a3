import type { Rule, SchemaNode, ValidationRun } from "../evaluation.js";
import { formatValue, formatValues, isObject, type JsonObject, pluralize, pointerStep } from "../values.js";
import { assertion, type RuleContext, type RuleFactory } from "./rule-context.js";

/**
 * Rules for object keywords (JSON Schema 2020-12 core, section 10.3.2; validation, section 6.5). Only own
 * properties count, because a payload may have a property such as `toString`, which objects inherit.
 */
export const OBJECT_RULES: Record<string, RuleFactory> = {
  minProperties: (limit: number) =>
    assertion(
      "minProperties",
      (value) => !isObject(value) || Object.keys(value).length >= limit,
      (value) =>
        `must have at least ${pluralize(limit, "property")}, not ${Object.keys(value as JsonObject).length}`,
    ),
  maxProperties: (limit: number) =>
    assertion(
      "maxProperties",
      (value) => !isObject(value) || Object.keys(value).length <= limit,
      (value) =>
        `must have at most ${pluralize(limit, "property")}, not ${Object.keys(value as JsonObject).length}`,
    ),
  required: (names: string[]) => ({
    accepts: (_run, value) => !isObject(value) || names.every((name) => Object.hasOwn(value, name)),
    explain(run, value, path) {
      for (const name of names) {
        if (!Object.hasOwn(value as JsonObject, name))
          run.report(path, "required", `must have the property ${formatValue(name)}`);
      }
    },
  }),
  dependentRequired: (dependencies: Record<string, string[]>) =>
    dependentRequired("dependentRequired", dependencies),
  properties: (schemas: JsonObject, context) => properties(Object.keys(schemas), context),
  patternProperties: (schemas: JsonObject, context) => patternProperties(Object.keys(schemas), context),
  additionalProperties: (schema: unknown, context) => additionalProperties(schema === false, context),
  propertyNames: (_schema: unknown, context) => propertyNames(context.child("propertyNames")),
  unevaluatedProperties: (schema: unknown, context) =>
    unevaluatedProperties(schema === false, context.child("unevaluatedProperties")),
};

export function dependentRequired(keyword: string, dependencies: Record<string, string[]>): Rule {
  const entries = Object.entries(dependencies);
  const missing = (value: JsonObject) =>
    entries.flatMap(([trigger, names]) =>
      Object.hasOwn(value, trigger)
        ? names.filter((name) => !Object.hasOwn(value, name)).map((name) => ({ trigger, name }))
        : [],
    );
  return {
    accepts: (_run, value) => !isObject(value) || missing(value).length === 0,
    explain(run, value, path) {
      for (const { trigger, name } of missing(value as JsonObject)) {
        run.report(
          path,
          keyword,
          `must have the property ${formatValue(name)}, because it has ${formatValue(trigger)}`,
        );
      }
    },
  };
}

/** Calls `test` with each property that a schema applies to. Returns false as soon as `test` does. */
type EveryProperty = (object: JsonObject, test: (name: string, node: SchemaNode) => boolean) => boolean;

/** @param reject reports a property whose schema is `false` */
function propertiesRule(
  every: EveryProperty,
  reject?: (run: ValidationRun, path: string, name: string) => void,
): Rule {
  return {
    accepts: (run, value, evaluated) =>
      !isObject(value) ||
      every(value, (name, node) => {
        const isAccepted = node.accepts(run, value[name]);
        if (isAccepted) evaluated?.properties.add(name);
        return isAccepted;
      }),
    explain(run, value, path) {
      const object = value as JsonObject;
      every(object, (name, node) => {
        if (node.accepts(run, object[name])) return true;
        if (reject) reject(run, path, name);
        else node.explain(run, object[name], path + pointerStep(name));
        return true;
      });
    },
  };
}

function properties(names: string[], context: RuleContext): Rule {
  const nodes = names.map((name): [string, SchemaNode] => [name, context.child("properties", name)]);
  return propertiesRule((object, test) =>
    nodes.every(([name, node]) => !Object.hasOwn(object, name) || test(name, node)),
  );
}

function patternProperties(patterns: string[], context: RuleContext): Rule {
  const nodes = patterns.map((pattern) => ({
    matches: context.matcher(pattern),
    node: context.child("patternProperties", pattern),
  }));
  return propertiesRule((object, test) =>
    Object.keys(object).every((name) =>
      nodes.every(({ matches, node }) => !matches(name) || test(name, node)),
    ),
  );
}

function additionalProperties(forbidsAll: boolean, context: RuleContext): Rule {
  const node = context.child("additionalProperties");
  const named = new Set(Object.keys((context.schema.properties as JsonObject | undefined) ?? {}));
  const patterns = Object.keys((context.schema.patternProperties as JsonObject | undefined) ?? {});
  const matchers = patterns.map(context.matcher);
  const isAdditional = (name: string) => !named.has(name) && !matchers.some((matches) => matches(name));
  const allowed =
    named.size > 0 ? `allowed properties: ${formatValues([...named])}` : "no property is allowed by name";
  const message =
    patterns.length > 0 ? `${allowed}; also names that match ${formatValues(patterns)}` : allowed;
  const reject = (run: ValidationRun, path: string, name: string) =>
    run.report(path, "additionalProperties", `must not have the property ${formatValue(name)}; ${message}`);
  return propertiesRule(
    (object, test) => Object.keys(object).every((name) => !isAdditional(name) || test(name, node)),
    forbidsAll ? reject : undefined,
  );
}

function propertyNames(node: SchemaNode): Rule {
  return {
    accepts: (run, value) => !isObject(value) || Object.keys(value).every((name) => node.accepts(run, name)),
    explain(run, value, path) {
      for (const name of Object.keys(value as JsonObject)) {
        if (node.accepts(run, name)) continue;
        run.report(path, "propertyNames", `must not have a property named ${formatValue(name)}`);
        node.explain(run, name, path);
      }
    },
  };
}

function unevaluatedProperties(forbidsAll: boolean, node: SchemaNode): Rule {
  return {
    accepts(run, value, evaluated) {
      if (!isObject(value) || evaluated?.everyProperty) return true;
      for (const name of Object.keys(value)) {
        if (!evaluated?.properties.has(name) && !node.accepts(run, value[name])) return false;
      }
      if (evaluated) evaluated.everyProperty = true;
      return true;
    },
    explain(run, value, path, evaluated) {
      const object = value as JsonObject;
      for (const name of Object.keys(object)) {
        if (evaluated?.properties.has(name) || node.accepts(run, object[name])) continue;
        if (forbidsAll) {
          run.report(
            path,
            "unevaluatedProperties",
            `must not have the property ${formatValue(name)}: no schema allows it`,
          );
        } else node.explain(run, object[name], path + pointerStep(name));
      }
    },
  };
}
