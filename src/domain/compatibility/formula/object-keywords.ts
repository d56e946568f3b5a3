/** The semantics of the object keywords (JSON Schema 2020-12 core 10.2.2.4, 10.3.2 and 11.3, validation 6.5). */

import type { SchemaNode } from "../schema/document.js";
import type { Formula } from "./formula.js";
import type { SchemaFormulas } from "./schema-formulas.js";
import { evaluatedProperties } from "./unevaluated.js";

export function objectKeyword(parts: SchemaFormulas, node: SchemaNode, keyword: string): Formula {
  const { formulas } = parts;
  const value = (node.schema as Record<string, unknown>)[keyword];
  const names = () => Object.keys(value as object);
  switch (keyword) {
    case "minProperties":
      return formulas.literal({ op: "minSize", size: value as number });
    case "maxProperties":
      return formulas.literal({ op: "maxSize", size: value as number });
    case "required":
      return formulas.all((value as string[]).map((name) => parts.hasProperty(name)));
    case "properties":
      return formulas.all(
        names().map((name) =>
          formulas.everyProperty(formulas.values([name]), parts.child(node, keyword, name)),
        ),
      );
    case "patternProperties":
      return formulas.all(
        names().map((source) =>
          formulas.everyProperty(parts.matches(source), parts.child(node, keyword, source)),
        ),
      );
    case "additionalProperties":
      return formulas.everyProperty(formulas.not(parts.ownNames(node)), parts.child(node, keyword));
    case "propertyNames":
      return formulas.everyProperty(formulas.not(parts.child(node, keyword)), formulas.false);
    case "dependentRequired":
      return formulas.all(
        Object.entries(value as Record<string, string[]>).map(([name, needed]) =>
          implies(parts, name, formulas.all(needed.map((other) => parts.hasProperty(other)))),
        ),
      );
    case "dependentSchemas":
      return formulas.all(names().map((name) => implies(parts, name, parts.child(node, keyword, name))));
    default:
      return unevaluated(parts, node);
  }
}

function implies(parts: SchemaFormulas, name: string, then: Formula): Formula {
  const { formulas } = parts;
  return formulas.any([formulas.not(parts.hasProperty(name)), then]);
}

/** For each case of evaluated properties, the remaining properties satisfy the subschema. */
function unevaluated(parts: SchemaFormulas, node: SchemaNode): Formula {
  const { formulas } = parts;
  const cases = evaluatedProperties(parts, node);
  if (!cases) return parts.opaque(node, "unevaluatedProperties");
  const value = parts.child(node, "unevaluatedProperties");
  return formulas.any(
    cases.map(({ when, evaluated }) =>
      formulas.all([...when, formulas.everyProperty(formulas.not(evaluated), value)]),
    ),
  );
}
