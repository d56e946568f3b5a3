/**
 * Translates object keywords to formulas (JSON Schema 2020-12 core, sections 10.2.2.4, 10.3.2 and 11.3;
 * validation, section 6.5).
 */

import type { SchemaNode } from "../schema/document.js";
import type { Formula } from "./formula.js";
import type { SchemaFormulas } from "./schema-formulas.js";
import { evaluatedProperties } from "./unevaluated.js";

export function objectKeyword(builder: SchemaFormulas, node: SchemaNode, keyword: string): Formula {
  const { formulas } = builder;
  const value = (node.schema as Record<string, unknown>)[keyword];
  const names = () => Object.keys(value as object);
  switch (keyword) {
    case "minProperties":
      return formulas.literal({ op: "minSize", size: value as number });
    case "maxProperties":
      return formulas.literal({ op: "maxSize", size: value as number });
    case "required":
      return formulas.all((value as string[]).map((name) => builder.hasProperty(name)));
    case "properties":
      return formulas.all(
        names().map((name) =>
          formulas.everyProperty(formulas.values([name]), builder.child(node, keyword, name)),
        ),
      );
    case "patternProperties":
      return formulas.all(
        names().map((source) =>
          formulas.everyProperty(builder.matches(source), builder.child(node, keyword, source)),
        ),
      );
    case "additionalProperties":
      return formulas.everyProperty(formulas.not(builder.ownNames(node)), builder.child(node, keyword));
    case "propertyNames":
      return formulas.everyProperty(formulas.not(builder.child(node, keyword)), formulas.false);
    case "dependentRequired":
    case "dependentSchemas":
    case "dependencies":
      return formulas.all(
        Object.entries(value as Record<string, unknown>).map(([name, needed]) =>
          implies(
            builder,
            name,
            Array.isArray(needed)
              ? formulas.all(needed.map((other: string) => builder.hasProperty(other)))
              : builder.child(node, keyword, name),
          ),
        ),
      );
    default:
      return unevaluated(builder, node);
  }
}

function implies(builder: SchemaFormulas, name: string, then: Formula): Formula {
  const { formulas } = builder;
  return formulas.any([formulas.not(builder.hasProperty(name)), then]);
}

/**
 * Returns the formula of `unevaluatedProperties`. The keyword applies to different properties of different
 * values, so the formula combines several cases.
 */
function unevaluated(builder: SchemaFormulas, node: SchemaNode): Formula {
  const { formulas } = builder;
  const cases = evaluatedProperties(builder, node);
  if (!cases) return builder.opaque(node, "unevaluatedProperties");
  const value = builder.child(node, "unevaluatedProperties");
  return formulas.any(
    cases.map(({ when, evaluated }) =>
      formulas.all([...when, formulas.everyProperty(formulas.not(evaluated), value)]),
    ),
  );
}
