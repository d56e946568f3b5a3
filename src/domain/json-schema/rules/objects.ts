import type { Node, Rule } from "../evaluation.js";
import { linearRegExp } from "../regex/index.js";
import { count, isObject, type JsonObject, pointerStep, show, showList } from "../values.js";
import { assertion, type RuleMaker, type Site } from "./site.js";

/** Core, 10.3.2; validation, 6.5. Only own properties count: `toString` is a name like any other. */
export const OBJECT_RULES: Record<string, RuleMaker> = {
  minProperties: (limit: number) =>
    assertion(
      "minProperties",
      (value) => !isObject(value) || Object.keys(value).length >= limit,
      (value) =>
        `must have at least ${count(limit, "property")}, not ${Object.keys(value as JsonObject).length}`,
    ),
  maxProperties: (limit: number) =>
    assertion(
      "maxProperties",
      (value) => !isObject(value) || Object.keys(value).length <= limit,
      (value) =>
        `must have at most ${count(limit, "property")}, not ${Object.keys(value as JsonObject).length}`,
    ),
  required: (names: string[]) => ({
    accepts: (_run, value) => !isObject(value) || names.every((name) => Object.hasOwn(value, name)),
    explain(run, value, path) {
      for (const name of names) {
        if (!Object.hasOwn(value as JsonObject, name))
          run.report(path, "required", `must have the property ${show(name)}`);
      }
    },
  }),
  dependentRequired: (dependencies: Record<string, string[]>) =>
    dependentRequired("dependentRequired", dependencies),
  properties: (schemas: JsonObject, site) => properties(Object.keys(schemas), site),
  patternProperties: (schemas: JsonObject, site) => patternProperties(Object.keys(schemas), site),
  additionalProperties: (schema: unknown, site) => additionalProperties(schema === false, site),
  propertyNames: (_schema: unknown, site) => propertyNames(site.child("propertyNames")),
  unevaluatedProperties: (schema: unknown, site) =>
    unevaluatedProperties(schema === false, site.child("unevaluatedProperties")),
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
        run.report(path, keyword, `must have the property ${show(name)}, because it has ${show(trigger)}`);
      }
    },
  };
}

function properties(names: string[], site: Site): Rule {
  const nodes = names.map((name): [string, Node] => [name, site.child("properties", name)]);
  return {
    accepts(run, value, seen) {
      if (!isObject(value)) return true;
      for (const [name, node] of nodes) {
        if (!Object.hasOwn(value, name)) continue;
        if (!node.accepts(run, value[name])) return false;
        seen?.properties.add(name);
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

function patternProperties(patterns: string[], site: Site): Rule {
  const nodes = patterns.map((pattern) => ({
    matches: linearRegExp(pattern),
    node: site.child("patternProperties", pattern),
  }));
  return {
    accepts(run, value, seen) {
      if (!isObject(value)) return true;
      for (const name of Object.keys(value)) {
        for (const { matches, node } of nodes) {
          if (!matches(name)) continue;
          if (!node.accepts(run, value[name])) return false;
          seen?.properties.add(name);
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

function additionalProperties(none: boolean, site: Site): Rule {
  const node = site.child("additionalProperties");
  const named = new Set(Object.keys((site.schema.properties as JsonObject | undefined) ?? {}));
  const patterns = Object.keys((site.schema.patternProperties as JsonObject | undefined) ?? {});
  const matchers = patterns.map(linearRegExp);
  const isAdditional = (name: string) => !named.has(name) && !matchers.some((matches) => matches(name));
  const allowed = named.size > 0 ? `allowed are ${showList([...named])}` : "none is allowed by name";
  const message = patterns.length > 0 ? `${allowed}, and names that match ${showList(patterns)}` : allowed;
  return {
    accepts(run, value, seen) {
      if (!isObject(value)) return true;
      for (const name of Object.keys(value)) {
        if (!isAdditional(name)) continue;
        if (!node.accepts(run, value[name])) return false;
        seen?.properties.add(name);
      }
      return true;
    },
    explain(run, value, path) {
      const object = value as JsonObject;
      for (const name of Object.keys(object)) {
        if (!isAdditional(name) || node.accepts(run, object[name])) continue;
        if (none)
          run.report(path, "additionalProperties", `must not have the property ${show(name)}: ${message}`);
        else node.explain(run, object[name], path + pointerStep(name));
      }
    },
  };
}

function propertyNames(node: Node): Rule {
  return {
    accepts: (run, value) => !isObject(value) || Object.keys(value).every((name) => node.accepts(run, name)),
    explain(run, value, path) {
      for (const name of Object.keys(value as JsonObject)) {
        if (node.accepts(run, name)) continue;
        run.report(path, "propertyNames", `must not have a property of the name ${show(name)}`);
        node.explain(run, name, path);
      }
    },
  };
}

function unevaluatedProperties(none: boolean, node: Node): Rule {
  return {
    accepts(run, value, seen) {
      if (!isObject(value) || seen?.everyProperty) return true;
      for (const name of Object.keys(value)) {
        if (!seen?.properties.has(name) && !node.accepts(run, value[name])) return false;
      }
      if (seen) seen.everyProperty = true;
      return true;
    },
    explain(run, value, path, seen) {
      const object = value as JsonObject;
      for (const name of Object.keys(object)) {
        if (seen?.properties.has(name) || node.accepts(run, object[name])) continue;
        if (none) {
          run.report(
            path,
            "unevaluatedProperties",
            `must not have the property ${show(name)}: no schema allows it`,
          );
        } else node.explain(run, object[name], path + pointerStep(name));
      }
    },
  };
}
