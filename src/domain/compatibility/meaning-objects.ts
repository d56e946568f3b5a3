/** What the object keywords say (JSON Schema 2020-12 core 10.2.2.4, 10.3.2 and 11.3, validation 6.5). */

import type { SchemaNode } from "./document.js";
import type { Formula } from "./formula.js";
import { isObject } from "./json.js";
import type { Meaning } from "./meaning.js";
import { evaluatedProperties } from "./unevaluated.js";

export function objectKeyword(meaning: Meaning, node: SchemaNode, keyword: string): Formula {
  const { formulas } = meaning;
  const value = (node.schema as Record<string, unknown>)[keyword];
  const names = () => Object.keys(value as object);
  switch (keyword) {
    case "minProperties":
      return formulas.literal({ op: "minSize", size: value as number });
    case "maxProperties":
      return formulas.literal({ op: "maxSize", size: value as number });
    case "required":
      return formulas.all((value as string[]).map((name) => has(meaning, name)));
    case "properties":
      return formulas.all(
        names().map((name) =>
          formulas.everyProperty(formulas.values([name]), meaning.child(node, keyword, name)),
        ),
      );
    case "patternProperties":
      return formulas.all(
        names().map((source) =>
          formulas.everyProperty(matches(meaning, source), meaning.child(node, keyword, source)),
        ),
      );
    case "additionalProperties":
      return formulas.everyProperty(formulas.not(ownNames(meaning, node)), meaning.child(node, keyword));
    case "propertyNames":
      return formulas.everyProperty(formulas.not(meaning.child(node, keyword)), formulas.false);
    case "dependentRequired":
      return formulas.all(
        Object.entries(value as Record<string, string[]>).map(([name, needed]) =>
          implies(meaning, name, formulas.all(needed.map((other) => has(meaning, other)))),
        ),
      );
    case "dependentSchemas":
      return formulas.all(names().map((name) => implies(meaning, name, meaning.child(node, keyword, name))));
    default:
      return unevaluated(meaning, node);
  }
}

/** The names that `properties` and `patternProperties` of a schema speak of. */
export function ownNames(meaning: Meaning, node: SchemaNode): Formula {
  const { properties, patternProperties } = node.schema as Record<string, unknown>;
  const patterns = isObject(patternProperties) ? Object.keys(patternProperties) : [];
  return meaning.formulas.any([
    meaning.formulas.values(isObject(properties) ? Object.keys(properties) : []),
    ...patterns.map((source) => matches(meaning, source)),
  ]);
}

export function has(meaning: Meaning, name: string): Formula {
  const { formulas } = meaning;
  return formulas.someProperty(formulas.values([name]), formulas.true);
}

function matches(meaning: Meaning, source: string): Formula {
  return meaning.formulas.literal({ op: "pattern", source, holds: true });
}

function implies(meaning: Meaning, name: string, then: Formula): Formula {
  const { formulas } = meaning;
  return formulas.any([formulas.not(has(meaning, name)), then]);
}

/** In each case of what the other keywords have evaluated, the properties that are left fit. */
function unevaluated(meaning: Meaning, node: SchemaNode): Formula {
  const { formulas } = meaning;
  const cases = evaluatedProperties(meaning, node);
  if (!cases) return meaning.opaque(node, "unevaluatedProperties");
  const value = meaning.child(node, "unevaluatedProperties");
  return formulas.any(
    cases.map(({ when, evaluated }) =>
      formulas.all([...when, formulas.everyProperty(formulas.not(evaluated), value)]),
    ),
  );
}
