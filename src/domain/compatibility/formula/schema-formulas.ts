/** Formulas for the parts of a schema that its keywords refer to. */

import { isObject } from "../json.js";
import type { SchemaNode } from "../schema/document.js";
import type { Formula, Formulas } from "./formula.js";

export class SchemaFormulas {
  constructor(readonly formulas: Formulas) {}

  /** "The instance is valid under the subschema below a node." */
  child(node: SchemaNode, ...tokens: (string | number)[]): Formula {
    return this.formulas.schema(node.document.child(node, ...tokens));
  }

  /** A keyword that is not analysed: the same keyword with the same value is the same unknown statement everywhere. */
  opaque(node: SchemaNode, keyword: string): Formula {
    return this.formulas.literal({ op: "opaque", key: `${keyword} ${node.classId}`, holds: true });
  }

  /** "The instance has a property of this name." */
  hasProperty(name: string): Formula {
    const { formulas } = this;
    return formulas.someProperty(formulas.values([name]), formulas.true);
  }

  /** "The name matches the pattern." */
  matches(source: string): Formula {
    return this.formulas.literal({ op: "pattern", source, holds: true });
  }

  /** "`properties` or `patternProperties` of the schema apply to this name." */
  ownNames(node: SchemaNode): Formula {
    const { properties, patternProperties } = node.schema as Record<string, unknown>;
    const patterns = isObject(patternProperties) ? Object.keys(patternProperties) : [];
    return this.formulas.any([
      this.formulas.values(isObject(properties) ? Object.keys(properties) : []),
      ...patterns.map((source) => this.matches(source)),
    ]);
  }
}
