import { MAX_QUERY_LENGTH, type QueryNode } from "../contract/query.js";

/**
 * Operators that may wait for their operand: the depth of PostgreSQL's operator stack. It refuses a query that needs
 * more (32 dashes before a word, say); here such a query asks for nothing.
 */
const MAX_PENDING = 32;

/** Characters that end a word and mean nothing, as in PostgreSQL's other query syntaxes. */
const IGNORED = "!&|()<";

/** The blanks of PostgreSQL's C.UTF-8: no-break spaces are not among them. NUL, which it cannot hold, is a blank. */
const BLANK = /[\0\t-\r \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/;

/**
 * Parses what a person typed (grammar: {@link QueryNode}). Takes any string and never throws; the result is an "or"
 * of "and"s of negated or plain texts, with one-element levels left out. `null`: there is no operand at all, or more
 * operators than {@link MAX_PENDING} wait for one. Time is linear in the length, which counts up to
 * {@link MAX_QUERY_LENGTH}.
 */
export function parseWebSearch(q: string): QueryNode | null {
  return new WebSearchParser(q.slice(0, MAX_QUERY_LENGTH)).parse();
}

class WebSearchParser {
  private at = 0;
  private readonly alternatives: QueryNode[] = [];
  private conjunction: QueryNode[] = [];

  constructor(private readonly input: string) {}

  parse(): QueryNode | null {
    for (;;) {
      const dashes = this.skipToOperand();
      if (dashes + this.waiting() > MAX_PENDING) return null;
      if (this.at >= this.input.length) break;
      const text = this.readOperand();
      this.conjunction.push(negate({ kind: "text", text }, dashes));
      if (this.readOr()) this.closeConjunction();
    }
    this.closeConjunction();
    return join("or", this.alternatives);
  }

  /** Stops at the next operand or the end, and counts the dashes passed. */
  private skipToOperand(): number {
    let dashes = 0;
    for (; this.at < this.input.length; this.at++) {
      const char = this.input.charAt(this.at);
      if (char === "-") dashes++;
      else if (!isSkipped(char)) break;
    }
    return dashes;
  }

  /** How many binary operators wait for the operand to come: an "or" before this conjunction, an "and" within. */
  private waiting(): number {
    return (this.alternatives.length > 0 ? 1 : 0) + (this.conjunction.length > 0 ? 1 : 0);
  }

  private readOperand(): string {
    if (this.input.charAt(this.at) === '"') {
      const close = this.input.indexOf('"', this.at + 1);
      const end = close < 0 ? this.input.length : close;
      const text = this.input.slice(this.at + 1, end);
      this.at = end + 1;
      return text;
    }
    const start = this.at++;
    while (this.at < this.input.length && !this.endsWord(this.input.charAt(this.at))) this.at++;
    return this.input.slice(start, this.at);
  }

  /** A colon ends a word but may begin one: PostgreSQL takes what follows it for a word of its own. */
  private endsWord(char: string): boolean {
    return char === ":" || char === '"' || isSkipped(char);
  }

  /**
   * Reads an "or" that stands where an operator may. It is a word instead when it is the beginning of one
   * (`or-abc`, `or1`), or when nothing but blanks follows it.
   */
  private readOr(): boolean {
    let at = this.at;
    while (at < this.input.length && isSkipped(this.input.charAt(at))) at++;
    if (this.input.slice(at, at + 2).toLowerCase() !== "or") return false;
    const next = at + 2;
    if (/^[-_\p{Alphabetic}\p{Nd}]/u.test(this.input.slice(next, next + 2))) return false;
    let operand = next + 1;
    while (operand < this.input.length && BLANK.test(this.input.charAt(operand))) operand++;
    if (operand >= this.input.length) return false;
    this.at = next;
    return true;
  }

  private closeConjunction(): void {
    const node = join("and", this.conjunction);
    if (node) this.alternatives.push(node);
    this.conjunction = [];
  }
}

function isSkipped(char: string): boolean {
  return IGNORED.includes(char) || BLANK.test(char);
}

/** Two dashes cancel each other out. */
function negate(node: QueryNode, dashes: number): QueryNode {
  return dashes % 2 === 1 ? { kind: "not", node } : node;
}

function join(kind: "and" | "or", nodes: QueryNode[]): QueryNode | null {
  return nodes.length > 1 ? { kind, nodes } : (nodes[0] ?? null);
}
