/** Finds the innermost parts of the new schema that reject values that the old schema accepts. */

import type { Reason } from "../../contract/errors.js";
import { JSON_TYPES, type JsonObject, type JsonType, pointerStep } from "../json-schema/values.js";
import { ArrayFacts } from "./arrays.js";
import type { Cases } from "./cases.js";
import { assertions, keywordsOf, prefixLength, type SchemaNode } from "./document.js";
import { explain, explainDroppedProperty, explainNewProperty, REJECTS_ALL } from "./messages.js";
import { ObjectFacts } from "./objects.js";
import type { Fact, Term } from "./terms.js";

/** Maximum number of cases of the old schema that are compared one by one. */
const MAX_CASES = 20;

/** Stands for every property name that the schemas do not mention. No schema is likely to contain it. */
const ANY_OTHER = "\u0000any other";

export class BreakingChanges {
  readonly found = new Map<string, Reason>();
  private readonly compared = new Set<string>();

  constructor(private readonly cases: Cases) {}

  /**
   * Reports each keyword of a new schema that may reject values that satisfy the goal.
   * @param dropped the property of the old schema that the false schema `node` rejects
   */
  check(goal: Term[], node: SchemaNode, dropped?: string): void {
    const { terms } = this.cases;
    const key = `${terms.all(goal).id} ${node.pointer} ${dropped}`;
    if (this.accepts(goal, terms.claim(node)) || this.compared.has(key)) return;
    this.compared.add(key);
    if (node.schema === false)
      this.report(
        node.pointer,
        "false schema",
        dropped === undefined ? REJECTS_ALL : explainDroppedProperty(dropped),
      );
    for (const keyword of assertions(node)) {
      if (this.accepts(goal, terms.claim(node, keyword))) continue;
      const before = this.found.size;
      this.descend(goal, node, keyword);
      if (this.found.size > before) continue;
      this.report(node.pointer + pointerStep(keyword), keyword, explain(keyword, keywordsOf(node)[keyword]));
    }
  }

  private accepts(goal: readonly Term[], term: Term, types: readonly JsonType[] = JSON_TYPES): boolean {
    return this.cases.isImpossible([...goal, this.cases.terms.not(term)], types);
  }

  private descend(goal: Term[], node: SchemaNode, keyword: string): void {
    const { cases } = this;
    const { terms } = cases;
    const keywords = keywordsOf(node);
    const value = keywords[keyword];
    const child = (...steps: (string | number)[]) => node.document.child(node, ...steps);
    const checkItem = (item: SchemaNode, from: number, to: number) => {
      const rule = terms.items(from, to, terms.claim(item));
      const parts = this.parts(goal, "array", rule, (facts) => [new ArrayFacts(cases, facts).itemAt(from)]);
      for (const part of parts) this.check(part, item);
    };
    switch (keyword) {
      case "allOf":
        for (const index of (value as unknown[]).keys()) this.check(goal, child(keyword, index));
        return;
      case "$ref":
      case "$dynamicRef": {
        const target = node.document.target(node, keyword);
        if (target) this.check(goal, target);
        return;
      }
      case "if": {
        const condition = terms.claim(child("if"));
        if ("then" in keywords) this.check([...goal, condition], child("then"));
        if ("else" in keywords) this.check([...goal, terms.not(condition)], child("else"));
        return;
      }
      case "required":
        for (const [index, name] of (value as string[]).entries())
          if (!this.accepts(goal, terms.hasProperty(name), ["object"]))
            this.report(`${node.pointer}/required/${index}`, keyword, explain(keyword, name));
        return;
      case "properties":
        for (const name of Object.keys(value as JsonObject)) {
          const property = child(keyword, name);
          const rule = terms.properties(terms.enum([name]), terms.claim(property));
          const valuesOf = (facts: Fact[]) => [new ObjectFacts(cases, facts).valueOf(name)];
          for (const part of this.parts(goal, "object", rule, valuesOf)) {
            if (this.accepts([], terms.all(part)))
              this.report(property.pointer, keyword, explainNewProperty(name));
            else this.check(part, property);
          }
        }
        return;
      case "additionalProperties": {
        const own = (keywords.properties ?? {}) as JsonObject;
        const valuesOf = (facts: Fact[]) => {
          const object = new ObjectFacts(cases, facts);
          const names = [...object.names, ANY_OTHER].filter((name) => !Object.hasOwn(own, name));
          return names.map((name) => ({ name, value: object.valueOf(name) }));
        };
        const rest = child(keyword);
        for (const { name, value } of this.parts(goal, "object", terms.claim(node, keyword), valuesOf))
          this.check(value, rest, rest.schema === false && name !== ANY_OTHER ? name : undefined);
        return;
      }
      case "prefixItems":
        for (const index of (value as unknown[]).keys()) checkItem(child(keyword, index), index, index + 1);
        return;
      case "items":
        checkItem(child(keyword), prefixLength(node), Number.POSITIVE_INFINITY);
    }
  }

  /** Returns the conditions on a part of the value in each case that may break the rule. */
  private parts<Part>(goal: Term[], type: JsonType, rule: Term, read: (facts: Fact[]) => Part[]): Part[] {
    const found: Part[] = [];
    this.cases.search(type, goal, (facts) => {
      if (!this.accepts(facts, rule, [type])) found.push(...read(facts));
      return found.length >= MAX_CASES;
    });
    return found;
  }

  private report(instancePath: string, keyword: string, message: string): void {
    this.found.set(`${instancePath} ${message}`, { instancePath, keyword, message });
  }
}
