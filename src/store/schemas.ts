/**
 * Stores registered schemas. Each subject, such as `@alice/quote`, has immutable versions, numbered from 1
 * (docs/specification/schemas.md#subjects-and-versions).
 */
import { SCHEMA_REF_PATTERN } from "../contract/fields.js";
import type { SchemaRecord } from "../contract/shapes.js";
import type { BatchedRead, Session, Transaction } from "./engine/engine.js";
import { type RoundTrip, Select } from "./engine/selects.js";
import { RowsParameter, sql, TEXTS, texts } from "./engine/sql.js";

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

const REF = new RegExp(SCHEMA_REF_PATTERN);

/** Returns whether a text is a ref, such as `@alice/quote` or `@alice/quote@2`. */
export function isRef(text: string): boolean {
  return REF.test(text);
}

/**
 * Splits a ref such as `@alice/quote@2` into subject and version. The caller must have checked it with
 * `isRef`.
 */
export function parseRef(ref: string): { subject: string; version: number | undefined } {
  const at = ref.lastIndexOf("@");
  if (at === 0) return { subject: ref, version: undefined };
  return { subject: ref.slice(0, at), version: Number(ref.slice(at + 1)) };
}

/** A ref without a version means the latest version. */
export async function schemaByRef(session: Session, ref: string): Promise<StoredSchema | undefined> {
  const { subject, version } = parseRef(ref);
  const columns = `SELECT ${SCHEMA_COLUMNS} FROM schemas WHERE subject = ?`;
  const row =
    version === undefined
      ? await session.get<SchemaRow>(`${columns} ORDER BY version DESC LIMIT 1`, [subject])
      : await session.get<SchemaRow>(`${columns} AND version = ?`, [subject, version]);
  return row && toSchema(row);
}

const REFS = new RowsParameter({ n: "integer", subject: "text", version: "integer" });
const RESOLVE = sql`
  SELECT wanted.subject, CASE WHEN wanted.version IS NULL
    THEN (SELECT max(version) FROM schemas WHERE subject = wanted.subject)
    ELSE (SELECT version FROM schemas WHERE subject = wanted.subject AND version = wanted.version) END AS version
  FROM ${REFS.table("wanted")} ORDER BY wanted.n`;

/** Adds the latest version to each ref that has none. Unknown refs become undefined. */
export async function resolveRefs(
  session: Session,
  refs: readonly string[],
): Promise<(string | undefined)[]> {
  const wanted = refs.map((ref, n) => {
    const { subject, version } = parseRef(ref);
    return [n, subject, version ?? null];
  });
  const rows = await session.all<{ subject: string; version: number | null }>(RESOLVE, [REFS.bind(wanted)]);
  return rows.map((row) => (row.version === null ? undefined : `${row.subject}@${row.version}`));
}

export const batchedRefResolution: BatchedRead<string, string | undefined> = { run: resolveRefs };

/** Parameter: the subjects as `TEXTS`. */
const LATEST_VERSIONS = new Select<{ subject: string; version: number | null }>(
  sql`
  SELECT q.value AS subject, (SELECT max(version) FROM schemas s WHERE s.subject = q.value) AS version
  FROM ${TEXTS.table("q")}`,
  "subject, version",
);

/** Maps each subject to its latest version, for example `@alice/quote` to `@alice/quote@2`. */
export async function latestVersions(
  trip: RoundTrip,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const latest = new Map<string, string>();
  for (const { subject, version } of await trip.select(LATEST_VERSIONS, [texts(subjects)]))
    if (version !== null) latest.set(subject, `${subject}@${version}`);
  return latest;
}

export function isUnpinned(ref: string): boolean {
  return parseRef(ref).version === undefined;
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
