/**
 * Logical formulas about one JSON value: conditions combined with "and" and "or". Negation applies only to
 * single conditions. Equal formulas are the same object, so their ids are enough to compare them.
 */

import type { Json } from "../../json-schema/values.js";
import { canonicalText } from "../../json-schema/values.js";
import type { Budget } from "../budget.js";
import type { SchemaNode } from "../schema/document.js";

/** A single condition on values of one type. `holds: false` negates it. */
export type Constraint =
  | { op: "values"; values: ReadonlyMap<string, Json>; holds: boolean }
  | { op: "lower"; value: number; exclusive: boolean }
  | { op: "upper"; value: number; exclusive: boolean }
  | { op: "multiple"; of: number; holds: boolean }
  /** The size is the number of code points in a string, items in an array, or properties in an object. */
  | { op: "minSize"; size: number }
  | { op: "maxSize"; size: number }
  | { op: "pattern"; source: string; holds: boolean }
  | { op: "format"; name: string; holds: boolean }
  | { op: "unique"; holds: boolean }
  /** Every array item whose index satisfies `from <= index < to` satisfies `item`. */
  | { op: "everyItem"; from: number; to: number; item: Formula }
  | { op: "someItem"; from: number; to: number; item: Formula }
  | { op: "atLeast"; count: number; item: Formula }
  | { op: "atMost"; count: number; item: Formula }
  /** Every property whose name satisfies `names` has a value that satisfies `value`. */
  | { op: "everyProperty"; names: Formula; value: Formula }
  | { op: "someProperty"; names: Formula; value: Formula }
  /**
   * A statement that is not analysed. Two statements with the same key are always both true or both false.
   */
  | { op: "opaque"; key: string; holds: boolean };

export type Formula =
  | { readonly id: number; readonly kind: "true" | "false" }
  | Group
  | Literal
  | ValidityFormula;

export interface Group {
  readonly id: number;
  readonly kind: "all" | "any";
  readonly members: readonly Formula[];
}

export interface Literal {
  readonly id: number;
  readonly kind: "literal";
  readonly constraint: Constraint;
}

/**
 * The statement "the value is valid under this schema". If `keyword` is set, the statement concerns only this
 * keyword. `holds: false` negates the statement. The statement is expanded only when needed.
 */
export interface ValidityFormula {
  readonly id: number;
  readonly kind: "schema";
  readonly node: SchemaNode;
  readonly keyword: string | undefined;
  readonly holds: boolean;
}

type WithoutId = Formula extends infer F ? (F extends Formula ? Omit<F, "id"> : never) : never;

/** Creates and interns formulas. */
export class Formulas {
  private readonly made = new Map<string, Formula>();
  private readonly negations = new Map<number, Formula>();

  readonly true: Formula;
  readonly false: Formula;

  constructor(readonly budget: Budget) {
    this.true = this.make("true", { kind: "true" });
    this.false = this.make("false", { kind: "false" });
    this.negations.set(this.true.id, this.false).set(this.false.id, this.true);
  }

  all(members: Iterable<Formula>): Formula {
    return this.group("all", members, this.true, this.false);
  }

  any(members: Iterable<Formula>): Formula {
    return this.group("any", members, this.false, this.true);
  }

  schema(node: SchemaNode, keyword?: string, holds = true): Formula {
    if (typeof node.schema === "boolean") return node.schema === holds ? this.true : this.false;
    const key = `schema ${node.classId} ${holds} ${keyword ?? ""}`;
    return this.make(key, { kind: "schema", node, keyword, holds });
  }

  literal(constraint: Constraint): Formula {
    const { op } = constraint;
    if (op === "values" && constraint.values.size === 0) return constraint.holds ? this.false : this.true;
    if (op === "minSize" && constraint.size <= 0) return this.true;
    if (op === "maxSize" && constraint.size < 0) return this.false;
    if (op === "minSize" && constraint.size === Number.POSITIVE_INFINITY) return this.false;
    if (op === "maxSize" && constraint.size === Number.POSITIVE_INFINITY) return this.true;
    return this.make(`literal ${text(constraint)}`, { kind: "literal", constraint });
  }

  values(values: Iterable<Json>, holds = true): Formula {
    return this.literal({
      op: "values",
      values: new Map([...values].map((value) => [canonicalText(value), value])),
      holds,
    });
  }

  everyItem(from: number, to: number, item: Formula): Formula {
    if (item.kind === "true" || from >= to) return this.true;
    if (item.kind === "false") return this.literal({ op: "maxSize", size: from });
    return this.literal({ op: "everyItem", from, to, item });
  }

  atLeast(count: number, item: Formula): Formula {
    if (count <= 0) return this.true;
    if (count === 1) return this.not(this.everyItem(0, Number.POSITIVE_INFINITY, this.not(item)));
    if (item.kind === "true") return this.literal({ op: "minSize", size: count });
    if (item.kind === "false") return this.false;
    return this.literal({ op: "atLeast", count, item });
  }

  atMost(count: number, item: Formula): Formula {
    return this.not(this.atLeast(Math.floor(count) + 1, item));
  }

  everyProperty(names: Formula, value: Formula): Formula {
    if (names.kind === "false" || value.kind === "true") return this.true;
    if (names.kind === "true" && value.kind === "false") return this.literal({ op: "maxSize", size: 0 });
    return this.literal({ op: "everyProperty", names, value });
  }

  someProperty(names: Formula, value: Formula): Formula {
    return this.not(this.everyProperty(names, this.not(value)));
  }

  /** Moves the "not" inwards, so that it applies only to single conditions. */
  not(formula: Formula): Formula {
    const known = this.negations.get(formula.id);
    if (known) return known;
    const negation = this.negate(formula);
    this.negations.set(formula.id, negation);
    // If the negation is an existing formula, its own negation is already cached.
    if (!this.negations.has(negation.id)) this.negations.set(negation.id, formula);
    return negation;
  }

  private negate(formula: Formula): Formula {
    switch (formula.kind) {
      case "true":
        return this.false;
      case "false":
        return this.true;
      case "all":
        return this.any(formula.members.map((member) => this.not(member)));
      case "any":
        return this.all(formula.members.map((member) => this.not(member)));
      case "schema":
        return this.schema(formula.node, formula.keyword, !formula.holds);
      case "literal":
        return this.literal(this.negateConstraint(formula.constraint));
    }
  }

  private negateConstraint(constraint: Constraint): Constraint {
    switch (constraint.op) {
      case "lower":
        return { op: "upper", value: constraint.value, exclusive: !constraint.exclusive };
      case "upper":
        return { op: "lower", value: constraint.value, exclusive: !constraint.exclusive };
      case "minSize":
        return { op: "maxSize", size: Math.ceil(constraint.size) - 1 };
      case "maxSize":
        return { op: "minSize", size: Math.floor(constraint.size) + 1 };
      case "everyItem":
        return { ...constraint, op: "someItem", item: this.not(constraint.item) };
      case "someItem":
        return { ...constraint, op: "everyItem", item: this.not(constraint.item) };
      case "atLeast":
        return { ...constraint, op: "atMost", count: constraint.count - 1 };
      case "atMost":
        return { ...constraint, op: "atLeast", count: constraint.count + 1 };
      case "everyProperty":
        return { ...constraint, op: "someProperty", value: this.not(constraint.value) };
      case "someProperty":
        return { ...constraint, op: "everyProperty", value: this.not(constraint.value) };
      default:
        return { ...constraint, holds: !constraint.holds };
    }
  }

  private group(kind: "all" | "any", from: Iterable<Formula>, neutral: Formula, absorbing: Formula): Formula {
    const members = new Map<number, Formula>();
    for (const formula of from) {
      if (formula === absorbing) return absorbing;
      if (formula === neutral) continue;
      const flat = formula.kind === kind ? formula.members : [formula];
      for (const member of flat) members.set(member.id, member);
    }
    if (members.size === 0) return neutral;
    const sorted = [...members.values()].sort((a, b) => a.id - b.id);
    if (sorted.length === 1) return sorted[0] as Formula;
    this.budget.spend(sorted.length);
    return this.make(`${kind} ${sorted.map((member) => member.id)}`, { kind, members: sorted });
  }

  private make(key: string, bare: WithoutId): Formula {
    const known = this.made.get(key);
    if (known) return known;
    this.budget.spend();
    const formula = { id: this.made.size, ...bare } as Formula;
    this.made.set(key, formula);
    return formula;
  }
}

/** Returns the same text for equal constraints. Ids stand for the formulas inside a constraint. */
function text(constraint: Constraint): string {
  const parts = Object.entries(constraint).map(([name, part]) => {
    if (part instanceof Map) return [...part.keys()].sort().join();
    if (typeof part === "object") return `${name}#${(part as Formula).id}`;
    return `${name}=${part}`;
  });
  return parts.join(" ");
}
