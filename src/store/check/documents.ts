/** Checks the JSON that is stored as text: whether it parses, and whether it has the shape of its resource. */
import { type TSchema, Type } from "typebox";
import { Check } from "typebox/value";
import { Knock, PostingRule, Wire } from "../../contract/shapes.js";
import { type KeyValues, type Row, readPages } from "../copy/rows.js";
import type { Session } from "../engine/engine.js";

interface StoredJson {
  table: string;
  key: Readonly<Record<string, "integer" | "text">>;
  /** Other columns that `shapes` reads. */
  columns?: Readonly<Record<string, "integer" | "text">>;
  /** For each column with JSON, the shape of its value. */
  shapes: Readonly<Record<string, TSchema | ((row: Row) => TSchema)>>;
  /** Returns whether the document agrees with the other columns of its row. */
  agrees?(document: Record<string, unknown>, row: Row): boolean;
}

const TAGS = Type.Array(Type.String());
const OBJECT = Type.Record(Type.String(), Type.Unknown());
const PK = { pk: "integer" } as const;

const DOCUMENTS: readonly StoredJson[] = [
  {
    table: "wires",
    key: PK,
    columns: { id: "text", removed_at: "integer" },
    shapes: { doc: Wire, reply_rule: PostingRule },
    agrees: isWireOfRow,
  },
  { table: "handles", key: PK, shapes: { tags: TAGS, inbox_rule: PostingRule } },
  { table: "spaces", key: PK, shapes: { tags: TAGS, root_rule: PostingRule, reply_rule: PostingRule } },
  { table: "schemas", key: PK, shapes: { json_schema: OBJECT } },
  {
    table: "approvals",
    key: PK,
    columns: { kind: "text" },
    shapes: { doc: ({ kind }) => (kind === "wire" ? Wire : Knock), error: OBJECT },
  },
  {
    table: "idempotency",
    key: { caller: "text", operation: "text", key: "text" },
    shapes: { response: Type.Unknown() },
  },
  { table: "identity_records", key: { model: "text", id: "text" }, shapes: { payload: OBJECT } },
];

/** Returns whether a Wire has the id of its row, and no text or payload if the wire was removed. */
function isWireOfRow(doc: Record<string, unknown>, { id, removed_at }: Row): boolean {
  const { text_body, payload, tombstone } = doc as unknown as Wire;
  if (doc.id !== id) return false;
  return removed_at === null
    ? tombstone === null
    : tombstone !== null && text_body === null && payload === null;
}

export interface DocumentProblems {
  /** Name of the table, which is also the name of the invariant. */
  table: string;
  problems: string[];
}

/** Reads every stored JSON text. Yields the problems of each table. */
export async function* checkDocuments(session: Session): AsyncGenerator<DocumentProblems, void> {
  for (const stored of DOCUMENTS) yield { table: stored.table, problems: await problemsOf(session, stored) };
}

async function problemsOf(session: Session, stored: StoredJson): Promise<string[]> {
  const { table, key, columns, shapes } = stored;
  const jsonColumns = Object.fromEntries(Object.keys(shapes).map((name) => [name, "text" as const]));
  const shape = { name: table, key: Object.keys(key), columns: { ...key, ...columns, ...jsonColumns } };
  const problems: string[] = [];
  for await (const page of readPages(session, shape)) {
    for (const row of page) {
      for (const column of Object.keys(shapes)) {
        const problem = problemOf(row, column, stored);
        if (problem !== undefined) problems.push(`${nameOf(shape.key, row)} ${column} ${problem}`);
      }
    }
  }
  return problems;
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
  if (!Check(typeof shape === "function" ? shape(row) : shape, document)) return "has another shape";
  if (column === "doc" && agrees && !agrees(document as Record<string, unknown>, row))
    return "differs from its row";
  return undefined;
}

const nameOf = (key: readonly string[], row: Row): string =>
  (key.map((column) => row[column]) as KeyValues).join(" ");
