/**
 * Checks the JSON that is stored as text: whether it parses, and whether it has the shape of its resource.
 */
import { Type } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { Knock, PostingRule, Wire } from "../../contract/shapes.js";
import type { Row } from "../copy/rows.js";
import type { Session } from "../engine/engine.js";
import { Finding } from "./findings.js";
import { conditionOf, listOf, paramsOf, type Range } from "./ranges.js";

const RULE = "every stored JSON text parses, has the shape of its resource, and agrees with its row";

type Shape = Pick<Validator, "Check">;

interface StoredJson {
  table: string;
  /** The columns that name a row. */
  key: readonly string[];
  /** Other columns that `shapes` and `agrees` read. */
  columns?: readonly string[];
  /** For each column with JSON, the shape of its value. */
  shapes: Readonly<Record<string, Shape | ((row: Row) => Shape)>>;
  /** Returns whether the document agrees with the other columns of its row. */
  agrees?(document: Record<string, unknown>, row: Row): boolean;
}

const TAGS = Compile(Type.Array(Type.String()));
const OBJECT = Compile(Type.Record(Type.String(), Type.Unknown()));
const ANY = Compile(Type.Unknown());
const WIRE = Compile(Wire);
const KNOCK = Compile(Knock);
const RULE_SHAPE = Compile(PostingRule);
const PK = ["pk"] as const;

export const DOCUMENTS: readonly StoredJson[] = [
  {
    table: "wires",
    key: PK,
    columns: ["id", "removed_at", "recipient", "reply_to"],
    shapes: { doc: WIRE, reply_rule: RULE_SHAPE },
    agrees: isWireOfRow,
  },
  { table: "handles", key: PK, shapes: { tags: TAGS, inbox_rule: RULE_SHAPE } },
  { table: "spaces", key: PK, shapes: { tags: TAGS, root_rule: RULE_SHAPE, reply_rule: RULE_SHAPE } },
  { table: "schemas", key: PK, shapes: { json_schema: OBJECT } },
  {
    table: "approvals",
    key: PK,
    columns: ["kind"],
    shapes: { doc: ({ kind }) => (kind === "wire" ? WIRE : KNOCK), error: OBJECT },
  },
  {
    table: "idempotency",
    key: ["caller", "operation", "key"],
    shapes: { response: ANY },
  },
  { table: "identity_records", key: ["model", "id"], shapes: { payload: OBJECT } },
];

/**
 * Returns whether a Wire has the id and the kind of target of its row, replies as its row says, and has no
 * text or payload if it was removed.
 */
function isWireOfRow(doc: Record<string, unknown>, { id, removed_at, recipient, reply_to }: Row): boolean {
  const wire = doc as unknown as Wire;
  if (wire.id !== id) return false;
  if ((wire.recipient_id === null) !== (recipient === null)) return false;
  if ((wire.reply_to === null) !== (reply_to === null)) return false;
  const { text_body, payload, tombstone } = wire;
  return removed_at === null
    ? tombstone === null
    : tombstone !== null && text_body === null && payload === null;
}

/** Checks the documents of one table, range by range. */
export class DocumentCheck {
  readonly table: string;
  readonly texts: readonly string[];
  readonly finding: Finding;
  private readonly key: readonly string[];
  private readonly columns: string;

  constructor(private readonly stored: StoredJson) {
    const { table, key, columns = [], shapes } = stored;
    this.table = table;
    this.key = key;
    this.texts = Object.keys(shapes);
    this.columns = listOf([...new Set([...key, ...columns, ...this.texts])]);
    this.finding = new Finding("documents", RULE, table);
  }

  read(session: Session, key: readonly string[], range: Range): Promise<Row[]> {
    return session.all<Row>(
      `SELECT ${this.columns} FROM ${this.table} WHERE ${conditionOf(key, range)}`,
      paramsOf(range),
    );
  }

  check(rows: readonly Row[]): void {
    for (const row of rows) {
      for (const column of this.texts) {
        const problem = problemOf(row, column, this.stored);
        if (problem === undefined) continue;
        this.finding.add(1, [`${this.key.map((name) => row[name]).join(" ")} ${column} ${problem}`]);
      }
    }
  }
}

function problemOf(row: Row, column: string, { shapes, agrees }: StoredJson): string | undefined {
  const json = row[column];
  if (json === null || json === undefined) return undefined;
  let document: unknown;
  try {
    document = JSON.parse(String(json));
  } catch {
    return "is not JSON";
  }
  const shape = shapes[column]!;
  if (!(typeof shape === "function" ? shape(row) : shape).Check(document)) return "has another shape";
  if (column === "doc" && agrees && !agrees(document as Record<string, unknown>, row))
    return "differs from its row";
  return undefined;
}
