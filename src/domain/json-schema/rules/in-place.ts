import { type Node, type Rule, type Run, Seen } from "../evaluation.js";
import { isObject, type JsonObject, show } from "../values.js";
import { dependentRequired } from "./objects.js";
import type { RuleMaker, Site } from "./site.js";

/** Keywords that apply schemas to the value itself (core, 8.2.3 and 10.2). */
export const IN_PLACE_RULES: Record<string, RuleMaker> = {
  $ref: (reference: string, site) => same(site.target(reference).node),
  $dynamicRef: (reference: string, site) => dynamicRef(reference, site),
  allOf: (schemas: unknown[], site) => allOf(schemas.map((_schema, index) => site.child("allOf", index))),
  anyOf: (schemas: unknown[], site) => anyOf(schemas.map((_schema, index) => site.child("anyOf", index))),
  oneOf: (schemas: unknown[], site) => oneOf(schemas.map((_schema, index) => site.child("oneOf", index))),
  not: (_schema: unknown, site) => {
    const node = site.child("not");
    return {
      accepts: (run, value) => !node.accepts(run, value),
      explain: (run, _value, path) => run.report(path, "not", 'must not match the schema of "not"'),
    };
  },
  if: (_schema: unknown, site) => ifThenElse(site),
  dependentSchemas: (schemas: JsonObject, site) =>
    dependentSchemas("dependentSchemas", Object.keys(schemas), site),
  dependencies: (value: JsonObject, site) => {
    const lists = Object.entries(value).filter(([, needs]) => Array.isArray(needs)) as [string, string[]][];
    const schemas = Object.keys(value).filter((name) => !Array.isArray(value[name]));
    const names = dependentRequired("dependencies", Object.fromEntries(lists));
    const rest = dependentSchemas("dependencies", schemas, site);
    return {
      accepts: (run, value, seen) => names.accepts(run, value, seen) && rest.accepts(run, value, seen),
      explain(run, value, path, seen) {
        names.explain(run, value, path, seen);
        rest.explain(run, value, path, seen);
      },
    };
  },
};

/** Runs a schema that may fail without the whole failing: what it has seen counts only where it accepts (core, 7.7.1). */
function tries(node: Node, run: Run, value: unknown, seen: Seen | undefined): boolean {
  if (seen === undefined) return node.accepts(run, value);
  const own = new Seen();
  const verdict = node.accepts(run, value, own);
  if (verdict) seen.add(own);
  return verdict;
}

function same(node: Node): Rule {
  return {
    accepts: (run, value, seen) => node.accepts(run, value, seen),
    explain: (run, value, path) => node.explain(run, value, path),
  };
}

/** Core, 8.2.3.2: the outermost resource in the dynamic scope that has the anchor wins. */
function dynamicRef(reference: string, site: Site): Rule {
  const { node, dynamic } = site.target(reference);
  if (dynamic === undefined) return same(node);
  const inScope = (run: Run): Node => {
    for (const resource of run.scope) {
      const outer = site.dynamicAnchor(resource, dynamic);
      if (outer) return outer;
    }
    return node;
  };
  return {
    accepts: (run, value, seen) => inScope(run).accepts(run, value, seen),
    explain: (run, value, path) => inScope(run).explain(run, value, path),
  };
}

function allOf(nodes: Node[]): Rule {
  return {
    accepts(run, value, seen) {
      for (const node of nodes) if (!node.accepts(run, value, seen)) return false;
      return true;
    },
    explain(run, value, path) {
      for (const node of nodes) if (!node.accepts(run, value)) node.explain(run, value, path);
    },
  };
}

function anyOf(nodes: Node[]): Rule {
  return {
    accepts(run, value, seen) {
      if (seen === undefined) return nodes.some((node) => node.accepts(run, value));
      let verdict = false;
      for (const node of nodes) verdict = tries(node, run, value, seen) || verdict;
      return verdict;
    },
    explain(run, value, path) {
      run.report(path, "anyOf", `must match at least one of the ${nodes.length} schemas of "anyOf"`);
      for (const node of nodes) node.explain(run, value, path);
    },
  };
}

function oneOf(nodes: Node[]): Rule {
  return {
    accepts(run, value, seen) {
      let matches = 0;
      for (const node of nodes) if (tries(node, run, value, seen) && ++matches > 1) return false;
      return matches === 1;
    },
    explain(run, value, path) {
      const matching = nodes.flatMap((node, index) => (node.accepts(run, value) ? [index] : []));
      const found = matching.length > 0 ? `, but matches those at ${matching.join(", ")}` : "";
      run.report(path, "oneOf", `must match exactly one of the ${nodes.length} schemas of "oneOf"${found}`);
      if (matching.length === 0) for (const node of nodes) node.explain(run, value, path);
    },
  };
}

function ifThenElse(site: Site): Rule {
  const condition = site.child("if");
  const then = "then" in site.schema ? site.child("then") : undefined;
  const otherwise = "else" in site.schema ? site.child("else") : undefined;
  return {
    accepts(run, value, seen) {
      const branch = tries(condition, run, value, seen) ? then : otherwise;
      return branch === undefined || branch.accepts(run, value, seen);
    },
    explain(run, value, path) {
      const branch = condition.accepts(run, value) ? then : otherwise;
      branch?.explain(run, value, path);
    },
  };
}

function dependentSchemas(keyword: string, triggers: string[], site: Site): Rule {
  const nodes = triggers.map((trigger): [string, Node] => [trigger, site.child(keyword, trigger)]);
  return {
    accepts(run, value, seen) {
      if (!isObject(value)) return true;
      for (const [trigger, node] of nodes) {
        if (Object.hasOwn(value, trigger) && !node.accepts(run, value, seen)) return false;
      }
      return true;
    },
    explain(run, value, path) {
      for (const [trigger, node] of nodes) {
        if (!Object.hasOwn(value as JsonObject, trigger) || node.accepts(run, value)) continue;
        run.report(
          path,
          keyword,
          `must match the schema that ${keyword} sets for the property ${show(trigger)}`,
        );
        node.explain(run, value, path);
      }
    },
  };
}
