/** Finds which parts of the new schema break instances of the old one, as deep as they can be pinned down. */

import type { Reason } from "../../contract/errors.js";
import { escapeToken, type SchemaNode } from "./document.js";
import type { Formula, Literal } from "./formula.js";
import { isObject, JSON_TYPES, type JsonType } from "./json.js";
import { itemAt } from "./leaf-array.js";
import { namesIn, valueUnder } from "./leaf-object.js";
import { assertions } from "./meaning.js";
import { prefixLength } from "./meaning-arrays.js";
import { explain, explainPart, REFUSES_ALL } from "./messages.js";
import type { Prover } from "./prover.js";

const MAX_REASONS = 100;
const MAX_DEPTH = 60;

/** A name that no schema is likely to speak of: stands for "any other property". */
const ANY_OTHER = "\u0000any other";

export class Changes {
  private readonly found = new Map<string, Reason>();
  private readonly asked = new Set<string>();
  private depth = 0;

  constructor(private readonly prover: Prover) {}

  get reasons(): Reason[] {
    return [...this.found.values()];
  }

  /** Compares everything that fits `goal` with a part of the new schema; true if all of it stays valid. */
  check(goal: Formula[], node: SchemaNode): boolean {
    const { formulas } = this.prover;
    if (this.keeps(goal, formulas.schema(node))) return true;
    const key = `${formulas.all(goal).id} ${node.pointer}`;
    if (this.asked.has(key) || this.depth > MAX_DEPTH || this.found.size >= MAX_REASONS) return false;
    this.asked.add(key);
    if (node.schema === false) this.report(node.pointer, "false schema", REFUSES_ALL);
    this.depth++;
    for (const keyword of assertions(node)) {
      if (!this.keeps(goal, formulas.schema(node, keyword))) this.keyword(goal, node, keyword);
    }
    this.depth--;
    return false;
  }

  /** Whether everything that fits the goal fits the formula. */
  private keeps(
    goal: readonly Formula[],
    formula: Formula,
    types: readonly JsonType[] = JSON_TYPES,
  ): boolean {
    return this.prover.impossible([...goal, this.prover.formulas.not(formula)], types);
  }

  /** Reports what is broken below a keyword or, where nothing more precise is known, the keyword. */
  private keyword(goal: Formula[], node: SchemaNode, keyword: string): void {
    const before = this.found.size;
    this.descend(goal, node, keyword);
    if (this.found.size > before) return;
    const value = (node.schema as Record<string, unknown>)[keyword];
    this.report(`${node.pointer}/${escapeToken(keyword)}`, keyword, explain(keyword, value));
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
    const { formulas } = this.prover;
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
    const { formulas } = this.prover;
    names.forEach((name, index) => {
      const present = formulas.someProperty(formulas.values([name]), formulas.true);
      if (this.keeps(goal, present, ["object"])) return;
      this.report(`${node.pointer}/required/${index}`, "required", explain("required", name));
    });
  }

  private property(goal: Formula[], child: SchemaNode, name: string): void {
    const { formulas } = this.prover;
    const rule = formulas.everyProperty(formulas.values([name]), formulas.schema(child));
    const before = this.found.size;
    for (const inner of this.parts(goal, "object", rule, (literals) => [
      valueUnder(this.prover, literals, name),
    ])) {
      this.check(inner, child);
    }
    if (this.found.size > before || this.keeps(goal, rule, ["object"])) return;
    this.report(child.pointer, "properties", explainPart("property", name));
  }

  /** Names that the old schema speaks of and the new one does not, and all names of which neither does. */
  private otherProperties(goal: Formula[], node: SchemaNode): void {
    const { prover } = this;
    const own = (node.schema as Record<string, unknown>).properties;
    const rule = prover.formulas.schema(node, "additionalProperties");
    const child = node.document.child(node, "additionalProperties");
    const values = (literals: Literal[]) =>
      [...namesIn(prover, literals), ANY_OTHER]
        .filter((name) => !isObject(own) || !Object.hasOwn(own, name))
        .map((name) => valueUnder(prover, literals, name));
    for (const inner of this.parts(goal, "object", rule, values)) this.check(inner, child);
  }

  private item(goal: Formula[], child: SchemaNode, keyword: string, position: number): void {
    const { formulas } = this.prover;
    const to = keyword === "items" ? Number.POSITIVE_INFINITY : position + 1;
    const rule = formulas.everyItem(position, to, formulas.schema(child));
    const at = (literals: Literal[]) => [itemAt(this.prover, literals, position)];
    for (const inner of this.parts(goal, "array", rule, at)) this.check(inner, child);
  }

  /** What the old schema says of a part, in each way to fit it in which the rule can be broken. */
  private parts(
    goal: Formula[],
    type: JsonType,
    rule: Formula,
    read: (literals: Literal[]) => Formula[][],
  ): Formula[][] {
    const broken = this.prover.formulas.not(rule);
    const found: Formula[][] = [];
    this.prover.search(type, goal, (branch) => {
      if (!this.prover.refuted(branch, broken)) found.push(...read(branch.literals));
      return found.length > 20;
    });
    return found;
  }

  private report(instancePath: string, keyword: string, message: string): void {
    const key = `${instancePath} ${keyword}`;
    if (this.found.size < MAX_REASONS) this.found.set(key, { instancePath, keyword, message });
  }
}
