/** Checks the shape of stored JSON, and whether a wire agrees with its row. */
import { Type } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { Knock, PostingRule, Wire } from "../../../src/contract/shapes.js";
import { Finding } from "../../../src/store/check.js";
import type { Session } from "../../../src/store/engine/engine.js";

type Row = Readonly<Record<string, unknown>>;
type Shape = Pick<Validator, "Check">;

const TAGS = Compile(Type.Array(Type.String()));
const OBJECT = Compile(Type.Record(Type.String(), Type.Unknown()));
const WIRE = Compile(Wire);
const KNOCK = Compile(Knock);
const RULE = Compile(PostingRule);

/** For each column with JSON, the shape of its value, by table. */
const SHAPES: Readonly<Record<string, Readonly<Record<string, Shape | ((row: Row) => Shape)>>>> = {
  wires: { doc: WIRE, reply_rule: RULE },
  handles: { tags: TAGS, inbox_rule: RULE },
  spaces: { tags: TAGS, root_rule: RULE, reply_rule: RULE },
  schemas: { json_schema: OBJECT },
  approvals: { doc: ({ kind }) => (kind === "wire" ? WIRE : KNOCK), error: OBJECT },
  identity_records: { payload: OBJECT },
};

export async function checkDocuments(session: Session): Promise<Finding> {
  const finding = new Finding("shapes", "stored JSON has the shape of its resource, and agrees with its row");
  for (const [table, shapes] of Object.entries(SHAPES)) {
    for (const row of await session.all<Row>(`SELECT * FROM ${table}`)) {
      for (const [column, shape] of Object.entries(shapes)) {
        const problem = problemOf(table, row, column, typeof shape === "function" ? shape(row) : shape);
        if (problem) finding.add(1, [`${table} ${row.pk ?? row.id} ${column} ${problem}`]);
      }
    }
  }
  return finding;
}

function problemOf(table: string, row: Row, column: string, shape: Shape): string | undefined {
  let document: unknown;
  try {
    document = JSON.parse(String(row[column]));
  } catch {
    // `wireroom store check` already reports invalid JSON.
    return undefined;
  }
  if (document === null) return undefined;
  if (!shape.Check(document)) return "has another shape";
  if (table === "wires" && column === "doc" && !isWireOfRow(document as Wire, row))
    return "differs from its row";
  return undefined;
}

/**
 * Returns whether a wire agrees with its row: in the id, in the kind of target, and in whether it is a reply.
 * A removed wire must have no text or payload.
 */
function isWireOfRow(wire: Wire, { id, removed_at, recipient, reply_to }: Row): boolean {
  if (wire.id !== id) return false;
  if ((wire.recipient_id === null) !== (recipient === null)) return false;
  if ((wire.reply_to === null) !== (reply_to === null)) return false;
  const { text_body, payload, tombstone } = wire;
  return removed_at === null
    ? tombstone === null
    : tombstone !== null && text_body === null && payload === null;
}
