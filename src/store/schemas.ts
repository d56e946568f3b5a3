/** Registered schemas: immutable versions of a subject, numbered from 1 (specification, section 9). */
import type { SchemaRecord } from "../contract/shapes.js";
import type { Session, Transaction } from "./engine.js";

export interface SchemaRow {
  pk: number;
  subject: string;
  version: number;
  compat: SchemaRecord["compat"];
  json_schema: string;
}

export interface StoredSchema {
  pk: number;
  resource: SchemaRecord;
}

export const SCHEMA_COLUMNS = "pk, subject, version, compat, json_schema";

export function toSchema(row: SchemaRow): StoredSchema {
  const { pk, subject, version, compat } = row;
  const json_schema = JSON.parse(row.json_schema) as Record<string, unknown>;
  return { pk, resource: { ref: `${subject}@${version}`, subject, version, compat, json_schema } };
}

/** `@handle/name` or `@handle/name@N` in its parts; the syntax is the contract's business. */
export function splitRef(ref: string): { subject: string; version: number | undefined } {
  const at = ref.lastIndexOf("@");
  if (at === 0) return { subject: ref, version: undefined };
  return { subject: ref.slice(0, at), version: Number(ref.slice(at + 1)) };
}

/** The version that a ref names; without `@N` the latest. */
export async function schemaByRef(session: Session, ref: string): Promise<StoredSchema | undefined> {
  const { subject, version } = splitRef(ref);
  const columns = `SELECT ${SCHEMA_COLUMNS} FROM schemas WHERE subject = ?`;
  const row =
    version === undefined
      ? await session.get<SchemaRow>(`${columns} ORDER BY version DESC LIMIT 1`, [subject])
      : await session.get<SchemaRow>(`${columns} AND version = ?`, [subject, version]);
  return row && toSchema(row);
}

/** Pinned refs for refs as given, in their order; `undefined` for one that does not exist. */
export async function resolveRefs(
  session: Session,
  refs: readonly string[],
): Promise<(string | undefined)[]> {
  const wanted = refs.map((ref) => {
    const { subject, version } = splitRef(ref);
    return [subject, version ?? null];
  });
  const rows = await session.all<{ subject: string; version: number | null }>(
    `SELECT wanted.value ->> 0 AS subject, CASE WHEN wanted.value ->> 1 IS NULL
       THEN (SELECT max(version) FROM schemas WHERE subject = wanted.value ->> 0)
       ELSE (SELECT version FROM schemas WHERE subject = wanted.value ->> 0 AND version = wanted.value ->> 1) END AS version
     FROM json_each(?) wanted ORDER BY wanted.key`,
    [JSON.stringify(wanted)],
  );
  return rows.map((row) => (row.version === null ? undefined : `${row.subject}@${row.version}`));
}

export async function insertSchema(
  tx: Transaction,
  schema: {
    subject: string;
    version: number;
    compat: SchemaRecord["compat"];
    jsonSchema: object;
    registrar: number;
    createdAt: number;
  },
): Promise<number> {
  const row = await tx.get<{ pk: number }>(
    `INSERT INTO schemas (subject, version, compat, json_schema, registrar, created_at) VALUES (?, ?, ?, ?, ?, ?)
     RETURNING pk`,
    [
      schema.subject,
      schema.version,
      schema.compat,
      JSON.stringify(schema.jsonSchema),
      schema.registrar,
      schema.createdAt,
    ],
  );
  return row!.pk;
}
