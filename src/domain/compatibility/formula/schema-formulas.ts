/** Builds formulas that several keywords need: about subschemas, property names and patterns. */

import { isObject } from "../../json-schema/values.js";
import type { SchemaNode } from "../schema/document.js";
import type { Formula, Formulas } from "./formula.js";

export class SchemaFormulas {
  constructor(readonly formulas: Formulas) {}

  child(node: SchemaNode, ...tokens: (string | number)[]): Formula {
    return this.formulas.schema(node.document.child(node, ...tokens));
  }

  /**
   * Returns a formula for a keyword that is not analysed. Equivalent nodes get the same formula, so a keyword
   * that did not change stays compatible.
   */
  opaque(node: SchemaNode, keyword: string): Formula {
    return this.formulas.literal({ op: "opaque", key: `${keyword} ${node.classId}`, holds: true });
  }

  hasProperty(name: string): Formula {
    const { formulas } = this;
    return formulas.someProperty(formulas.values([name]), formulas.true);
  }

  matches(source: string): Formula {
    return this.formulas.literal({ op: "pattern", source, holds: true });
  }

  ownNames(node: SchemaNode): Formula {
    const { properties, patternProperties } = node.schema as Record<string, unknown>;
    const patterns = isObject(patternProperties) ? Object.keys(patternProperties) : [];
    return this.formulas.any([
      this.formulas.values(isObject(properties) ? Object.keys(properties) : []),
      ...patterns.map((source) => this.matches(source)),
    ]);
  }
}
