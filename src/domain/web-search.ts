import { MAX_QUERY_LENGTH, type QueryNode } from "../contract/query.js";

/**
 * Maximum number of search operators that wait for an operand, such as the dashes before a word. A query that
 * exceeds it matches nothing. PostgreSQL has the same limit.
 */
const MAX_PENDING = 32;

/** As in PostgreSQL, these characters end a search word and have no other effect. */
const IGNORED = "!&|()<";

/**
 * White space in PostgreSQL's C.UTF-8 locale, which excludes no-break spaces. NUL is added because PostgreSQL
 * cannot store it.
 */
const BLANK = /[\0\t-\r \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/;

/**
 * Parses the search text `q` (grammar: {@link QueryNode}) in linear time. Accepts any string and never
 * throws. Ignores everything after {@link MAX_QUERY_LENGTH} characters. Returns an "or" of "and" nodes; a
 * node with a single operand is replaced by this operand. Returns `null` if `q` has no operand, or more than
 * {@link MAX_PENDING} pending operators.
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
      if (dashes + this.pendingOperators() > MAX_PENDING) return null;
      if (this.at >= this.input.length) break;
      const text = this.readOperand();
      this.conjunction.push(negate({ kind: "text", text }, dashes));
      if (this.readOr()) this.closeConjunction();
    }
    this.closeConjunction();
    return join("or", this.alternatives);
  }

  private skipToOperand(): number {
    let dashes = 0;
    for (; this.at < this.input.length; this.at++) {
      const char = this.input.charAt(this.at);
      if (char === "-") dashes++;
      else if (!isSkipped(char)) break;
    }
    return dashes;
  }

  private pendingOperators(): number {
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

  /** As in PostgreSQL, a colon also ends a search word. */
  private endsWord(char: string): boolean {
    return char === ":" || char === '"' || isSkipped(char);
  }

  /**
   * Reads the operator "or" if it comes next. If "or" starts a longer word (`or-abc`, `or1`), or only white
   * space follows, "or" is an ordinary search word.
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

function negate(node: QueryNode, dashes: number): QueryNode {
  return dashes % 2 === 1 ? { kind: "not", node } : node;
}

function join(kind: "and" | "or", nodes: QueryNode[]): QueryNode | null {
  return nodes.length > 1 ? { kind, nodes } : (nodes[0] ?? null);
}
