import type { Rule, SchemaNode } from "../evaluation.js";
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

function properties(names: string[], context: RuleContext): Rule {
  const nodes = names.map((name): [string, SchemaNode] => [name, context.child("properties", name)]);
  return {
    accepts(run, value, evaluated) {
      if (!isObject(value)) return true;
      for (const [name, node] of nodes) {
        if (!Object.hasOwn(value, name)) continue;
        if (!node.accepts(run, value[name])) return false;
        evaluated?.properties.add(name);
      }
      return true;
    },
    explain(run, value, path) {
      const object = value as JsonObject;
      for (const [name, node] of nodes) {
        if (!Object.hasOwn(object, name) || node.accepts(run, object[name])) continue;
        node.explain(run, object[name], path + pointerStep(name));
      }
    },
  };
}

function patternProperties(patterns: string[], context: RuleContext): Rule {
  const nodes = patterns.map((pattern) => ({
    matches: context.matcher(pattern),
    node: context.child("patternProperties", pattern),
  }));
  return {
    accepts(run, value, evaluated) {
      if (!isObject(value)) return true;
      for (const name of Object.keys(value)) {
        for (const { matches, node } of nodes) {
          if (!matches(name)) continue;
          if (!node.accepts(run, value[name])) return false;
          evaluated?.properties.add(name);
        }
      }
      return true;
    },
    explain(run, value, path) {
      const object = value as JsonObject;
      for (const name of Object.keys(object)) {
        for (const { matches, node } of nodes) {
          if (matches(name) && !node.accepts(run, object[name]))
            node.explain(run, object[name], path + pointerStep(name));
        }
      }
    },
  };
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
  return {
    accepts(run, value, evaluated) {
      if (!isObject(value)) return true;
      for (const name of Object.keys(value)) {
        if (!isAdditional(name)) continue;
        if (!node.accepts(run, value[name])) return false;
        evaluated?.properties.add(name);
      }
      return true;
    },
    explain(run, value, path) {
      const object = value as JsonObject;
      for (const name of Object.keys(object)) {
        if (!isAdditional(name) || node.accepts(run, object[name])) continue;
        if (forbidsAll)
          run.report(
            path,
            "additionalProperties",
            `must not have the property ${formatValue(name)}; ${message}`,
          );
        else node.explain(run, object[name], path + pointerStep(name));
      }
    },
  };
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
