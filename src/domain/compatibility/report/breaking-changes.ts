/**
 * Finds the parts of the new schema that reject values of the old schema, and reports the most deeply nested
 * ones.
 */

import type { Reason } from "../../../contract/errors.js";
import { MAX_REASONS, ReasonList } from "../../json-schema/reason-list.js";
import { isObject, JSON_TYPES, type JsonType, pointerStep } from "../../json-schema/values.js";
import type { Formula, Literal } from "../formula/formula.js";
import { assertedKeywords, prefixLength, type SchemaNode } from "../schema/document.js";
import { ArrayFacts } from "../solver/arrays.js";
import { ObjectFacts } from "../solver/objects.js";
import type { Solver } from "../solver/solver.js";
import { explain, explainNewProperty, explainPart, REJECTS_ALL } from "./messages.js";

const MAX_DEPTH = 60;

/**
 * Stands for every property name that the schemas do not mention. No schema is likely to contain this name.
 */
const ANY_OTHER = "\u0000any other";

export class BreakingChanges {
  private readonly found = new Map<string, Reason>();
  private readonly compared = new Set<string>();
  private depth = 0;

  constructor(private readonly solver: Solver) {}

  get reasons(): Reason[] {
    return ReasonList.firstOf(this.found.values());
  }

  /**
   * Returns whether this part of the new schema accepts every value that satisfies `goal`. Reports the
   * keywords that may reject such a value.
   */
  check(goal: Formula[], node: SchemaNode): boolean {
    const { formulas } = this.solver;
    if (this.acceptsAll(goal, formulas.schema(node))) return true;
    const key = `${formulas.all(goal).id} ${node.pointer}`;
    if (this.compared.has(key) || this.depth > MAX_DEPTH || this.found.size >= MAX_REASONS) return false;
    this.compared.add(key);
    if (node.schema === false) this.report(node.pointer, "false schema", REJECTS_ALL);
    this.depth++;
    for (const keyword of assertedKeywords(node)) {
      if (!this.acceptsAll(goal, formulas.schema(node, keyword))) this.keyword(goal, node, keyword);
    }
    this.depth--;
    return false;
  }

  /**
   * Returns true only if it is proven that every value that satisfies the goal also satisfies the formula.
   */
  private acceptsAll(
    goal: readonly Formula[],
    formula: Formula,
    types: readonly JsonType[] = JSON_TYPES,
  ): boolean {
    return this.solver.isUnsatisfiable([...goal, this.solver.formulas.not(formula)], types);
  }

  private keyword(goal: Formula[], node: SchemaNode, keyword: string): void {
    const before = this.found.size;
    this.descend(goal, node, keyword);
    if (this.found.size > before) return;
    const value = (node.schema as Record<string, unknown>)[keyword];
    this.report(node.pointer + pointerStep(keyword), keyword, explain(keyword, value));
  }

  private descend(goal: Formula[], node: SchemaNode, keyword: string): void {
    const value = (node.schema as Record<string, unknown>)[keyword];
    const child = (...tokens: (string | number)[]) => node.document.child(node, ...tokens);
    switch (keyword) {
      case "allOf":
        (value as unknown[]).forEach((_, index) => void this.check(goal, child(keyword, index)));
        return;
      case "$ref":
      case "$dynamicRef": {
        const target = node.document.target(node, keyword);
        if (target) this.check(goal, target);
        return;
      }
      case "if":
        this.conditional(goal, node);
        return;
      case "required":
        this.required(goal, node, value as string[]);
        return;
      case "properties":
        for (const name of Object.keys(value as object)) this.property(goal, child(keyword, name), name);
        return;
      case "additionalProperties":
        this.otherProperties(goal, node);
        return;
      case "prefixItems":
        (value as unknown[]).forEach(
          (_, index) => void this.item(goal, child(keyword, index), keyword, index),
        );
        return;
      case "items":
        this.item(goal, child(keyword), keyword, prefixLength(node.schema as Record<string, unknown>));
        return;
    }
  }

  private conditional(goal: Formula[], node: SchemaNode): void {
    const { formulas } = this.solver;
    const condition = formulas.schema(node.document.child(node, "if"));
    const guards: [string, Formula][] = [
      ["then", condition],
      ["else", formulas.not(condition)],
    ];
    for (const [branch, guard] of guards) {
      if (isObject(node.schema) && branch in node.schema) {
        this.check([...goal, guard], node.document.child(node, branch));
      }
    }
  }

  private required(goal: Formula[], node: SchemaNode, names: string[]): void {
    const { formulas } = this.solver;
    names.forEach((name, index) => {
      const present = formulas.someProperty(formulas.values([name]), formulas.true);
      if (this.acceptsAll(goal, present, ["object"])) return;
      this.report(`${node.pointer}/required/${index}`, "required", explain("required", name));
    });
  }

  private property(goal: Formula[], child: SchemaNode, name: string): void {
    const { formulas } = this.solver;
    const rule = formulas.everyProperty(formulas.values([name]), formulas.schema(child));
    const before = this.found.size;
    const values = (literals: Literal[]) => [new ObjectFacts(this.solver, literals).valueUnder(name)];
    for (const inner of this.parts(goal, "object", rule, values)) {
      if (this.acceptsAll([], formulas.all(inner))) {
        this.report(child.pointer, "properties", explainNewProperty(name));
        return;
      }
      this.check(inner, child);
    }
    if (this.found.size > before || this.acceptsAll(goal, rule, ["object"])) return;
    this.report(child.pointer, "properties", explainPart("property", name));
  }

  /**
   * Checks `additionalProperties` for each property name that only the old schema mentions, and for a name
   * that neither schema mentions.
   */
  private otherProperties(goal: Formula[], node: SchemaNode): void {
    const { solver } = this;
    const own = (node.schema as Record<string, unknown>).properties;
    const rule = solver.formulas.schema(node, "additionalProperties");
    const child = node.document.child(node, "additionalProperties");
    const values = (literals: Literal[]) =>
      [...new ObjectFacts(solver, literals).names, ANY_OTHER]
        .filter((name) => !isObject(own) || !Object.hasOwn(own, name))
        .map((name) => new ObjectFacts(solver, literals).valueUnder(name));
    for (const inner of this.parts(goal, "object", rule, values)) this.check(inner, child);
  }

  private item(goal: Formula[], child: SchemaNode, keyword: string, position: number): void {
    const { formulas } = this.solver;
    const to = keyword === "items" ? Number.POSITIVE_INFINITY : position + 1;
    const rule = formulas.everyItem(position, to, formulas.schema(child));
    const at = (literals: Literal[]) => [new ArrayFacts(this.solver, literals).goal(position)];
    for (const inner of this.parts(goal, "array", rule, at)) this.check(inner, child);
  }

  private parts(
    goal: Formula[],
    type: JsonType,
    rule: Formula,
    read: (literals: Literal[]) => Formula[][],
  ): Formula[][] {
    const broken = this.solver.formulas.not(rule);
    const found: Formula[][] = [];
    this.solver.search(type, goal, (branch) => {
      if (!this.solver.refuted(branch, broken)) found.push(...read(branch.literals));
      return found.length > 20;
    });
    return found;
  }

  private report(instancePath: string, keyword: string, message: string): void {
    const key = `${instancePath} ${keyword}`;
    if (this.found.size < MAX_REASONS) this.found.set(key, { instancePath, keyword, message });
  }
}
