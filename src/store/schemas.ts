/** Registered schemas: immutable versions of a subject, numbered from 1 (specification, section 9). */
import type { SchemaRecord } from "../contract/shapes.js";
import type { BatchedRead, Session, Transaction } from "./engine/engine.js";
import { RowsOf, Select, TEXTS, written } from "./engine/sql.js";

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

const REFS = new RowsOf({ n: "integer", subject: "text", version: "integer" });
const RESOLVE = written(
  (engine) => `
  SELECT wanted.subject, CASE WHEN wanted.version IS NULL
    THEN (SELECT max(version) FROM schemas WHERE subject = wanted.subject)
    ELSE (SELECT version FROM schemas WHERE subject = wanted.subject AND version = wanted.version) END AS version
  FROM ${REFS.as(engine, "wanted")} ORDER BY wanted.n`,
);

/** Pinned refs for refs as given, in their order; `undefined` for one that does not exist. */
export async function resolveRefs(
  session: Session,
  refs: readonly string[],
): Promise<(string | undefined)[]> {
  const wanted = refs.map((ref, n) => {
    const { subject, version } = splitRef(ref);
    return [n, subject, version ?? null];
  });
  const rows = await session.all<{ subject: string; version: number | null }>(RESOLVE, [REFS.bind(wanted)]);
  return rows.map((row) => (row.version === null ? undefined : `${row.subject}@${row.version}`));
}

/** The same for many callers at once. */
export const refResolution: BatchedRead<string, string | undefined> = { run: resolveRefs };

/** A subject and its latest version. */
export interface LatestRow {
  subject: string;
  version: number | null;
}

/** The latest versions of subjects; takes `TEXTS`. */
export const LATEST = new Select<LatestRow>(
  (engine) => `
  SELECT q.value AS subject, (SELECT max(version) FROM schemas s WHERE s.subject = q.value) AS version
  FROM ${TEXTS.as(engine, "q")}`,
  "subject, version",
);

/** Whether a ref names no version: it means the latest. */
export function isUnpinned(ref: string): boolean {
  return splitRef(ref).version === undefined;
}

/** Pins the refs of rules, which all exist (decisions, section 3), as they stand in one transaction. */
export class PinnedRefs {
  /** Refs without a version, whose latest is known. */
  private readonly latest = new Map<string, string>();

  constructor(
    private readonly resolve: (refs: readonly string[]) => Promise<(string | undefined)[]>,
    known: readonly LatestRow[] = [],
  ) {
    for (const { subject, version } of known) {
      if (version !== null) this.latest.set(subject, `${subject}@${version}`);
    }
  }

  async of(refs: readonly string[]): Promise<readonly string[]> {
    const unknown = refs.filter((ref) => isUnpinned(ref) && !this.latest.has(ref));
    if (unknown.length > 0) {
      const found = await this.resolve(unknown);
      for (const [n, ref] of unknown.entries()) this.latest.set(ref, found[n] ?? ref);
    }
    return refs.map((ref) => this.latest.get(ref) ?? ref);
  }
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
