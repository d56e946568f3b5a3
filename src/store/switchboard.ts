/**
 * Stores the switchboard, which is the public directory of discoverable handles, public spaces and registered
 * schemas.
 */
import type { EntityResult, Handle, PostingRule, Space } from "../contract/shapes.js";
import type { Session, SqlValue, Transaction } from "./engine/engine.js";
import {
  NUMBERED_INTEGERS,
  numberedIntegers,
  RowsParameter,
  sql,
  TEXTS,
  textFor,
  texts,
  unprepared,
} from "./engine/sql.js";
import { insertTerms, scopedTerms, searchForAllWords } from "./fulltext/index.js";
import { isRef, parseRef } from "./schemas.js";

export type EntityKind = EntityResult["type"];

interface Listing {
  kind: EntityKind;
  /** The slug of a handle or space, or the subject of a schema. */
  name: string;
  target: number;
  texts: readonly (string | null)[];
  tags?: readonly string[];
  rules?: readonly PostingRule[];
}

const TAGS = new RowsParameter({ tag: "text", entity: "integer" });
const INSERT_TAGS = sql`INSERT INTO entity_tags (tag, entity) SELECT tag, entity FROM ${TAGS.table("tags")}`;
const REFS = new RowsParameter({ subject: "text", ref: "text", entity: "integer" });
const INSERT_REFS = sql`INSERT INTO entity_schemas (subject, ref, entity)
  SELECT subject, ref, entity FROM ${REFS.table("refs")}`;

/** Removes the entry if the handle is not discoverable. */
export async function updateHandleListing(
  tx: Transaction,
  { pk: target, resource }: { pk: number; resource: Handle },
): Promise<void> {
  const { slug: name, tags, inbox_rule, discoverable } = resource;
  if (!discoverable) return deleteEntity(tx, "handle", name);
  const texts = SEARCH_TEXTS.handle(resource);
  await upsertEntity(tx, { kind: "handle", name, target, texts, tags, rules: [inbox_rule] });
}

/** Removes the entry if the space is private. */
export async function updateSpaceListing(
  tx: Transaction,
  { pk: target, resource }: { pk: number; resource: Space },
): Promise<void> {
  const { slug: name, tags, root_rule, reply_rule, visibility } = resource;
  if (visibility !== "public") return deleteEntity(tx, "space", name);
  const texts = SEARCH_TEXTS.space(resource);
  await upsertEntity(tx, { kind: "space", name, target, texts, tags, rules: [root_rule, reply_rule] });
}

/** @param pk primary key of the schema's latest version */
export async function updateSchemaListing(tx: Transaction, subject: string, pk: number): Promise<void> {
  const texts = SEARCH_TEXTS.schema(subject);
  await upsertEntity(tx, { kind: "schema", name: subject, target: pk, texts });
}

async function upsertEntity(
  tx: Transaction,
  { kind, name, target, texts, tags = [], rules = [] }: Listing,
): Promise<void> {
  const row = await tx.get<{ pk: number }>(
    `INSERT INTO entities (kind, name, target) VALUES (?, ?, ?)
     ON CONFLICT (kind, name) DO UPDATE SET target = excluded.target RETURNING pk`,
    [kind, name, target],
  );
  const pk = row!.pk;
  await deleteIndexEntries(tx, pk);
  await insertTerms(tx, "entities_fts", [[pk, termsOf(kind, texts)]]);
  const ownTags = [...new Set(tags)];
  if (ownTags.length > 0) await tx.run(INSERT_TAGS, [TAGS.bind(ownTags.map((tag) => [tag, pk]))]);
  const refs = [...new Set(rules.flatMap((rule) => rule.accepted_schemas))];
  if (refs.length > 0) {
    await tx.run(INSERT_REFS, [REFS.bind(refs.map((ref) => [parseRef(ref).subject, ref, pk]))]);
  }
}

/** The texts in which a search looks for the words of `q`. */
const SEARCH_TEXTS = {
  handle: ({ slug, display_name, bio, tags }: Pick<Handle, "slug" | "display_name" | "bio" | "tags">) => [
    slug,
    display_name,
    bio,
    ...tags,
  ],
  space: ({ slug, description, tags }: Pick<Space, "slug" | "description" | "tags">) => [
    slug,
    description,
    ...tags,
  ],
  schema: (subject: string) => [subject],
} as const;

function termsOf(kind: EntityKind, texts: readonly (string | null)[]): string {
  return scopedTerms(kind, texts.filter((text) => text !== null).join("\n"));
}

interface TextsRow {
  pk: number;
  kind: EntityKind;
  name: string;
  display_name: string | null;
  bio: string | null;
  description: string | null;
  tags: string | null;
}

const SELECT_TEXTS = sql`
  SELECT e.pk, e.kind, e.name, h.display_name, h.bio, s.description, coalesce(h.tags, s.tags) AS tags
  FROM ${NUMBERED_INTEGERS.table("q")} JOIN entities e ON e.pk = q.value
  LEFT JOIN handles h ON e.kind = 'handle' AND h.pk = e.target
  LEFT JOIN spaces s ON e.kind = 'space' AND s.pk = e.target`;

/** Returns the full-text terms from which `wireroom store copy` rebuilds the index. */
export async function entityTerms(
  session: Session,
  pks: readonly number[],
): Promise<[pk: number, terms: string][]> {
  const rows = await session.all<TextsRow>(SELECT_TEXTS, [numberedIntegers(pks)]);
  return rows.map(({ pk, kind, name, tags, ...texts }) => {
    const fields = { ...texts, slug: name, tags: tags === null ? [] : (JSON.parse(tags) as string[]) };
    return [pk, termsOf(kind, kind === "schema" ? SEARCH_TEXTS.schema(name) : SEARCH_TEXTS[kind](fields))];
  });
}

async function deleteEntity(tx: Transaction, kind: EntityKind, name: string): Promise<void> {
  const row = await tx.get<{ pk: number }>("SELECT pk FROM entities WHERE kind = ? AND name = ?", [
    kind,
    name,
  ]);
  if (!row) return;
  await deleteIndexEntries(tx, row.pk);
  await tx.run("DELETE FROM entities WHERE pk = ?", [row.pk]);
}

async function deleteIndexEntries(tx: Transaction, pk: number): Promise<void> {
  await tx.run("DELETE FROM entities_fts WHERE rowid = ?", [pk]);
  await tx.run("DELETE FROM entity_tags WHERE entity = ?", [pk]);
  await tx.run("DELETE FROM entity_schemas WHERE entity = ?", [pk]);
}

export interface EntityQuery {
  kind: EntityKind;
  q: string | undefined;
  /** Tags that every result must have, without duplicates. */
  tags: readonly string[];
  acceptsSchema: string | undefined;
  limit: number;
}

const RESULTS: Record<
  EntityKind,
  { from: string; json: (row: Record<string, string | number | null>) => string }
> = {
  handle: {
    from: "SELECT h.slug, h.display_name, h.bio, h.tags, h.inbox_rule FROM found f JOIN handles h ON h.pk = f.target AND h.retired_at IS NULL",
    json: ({ slug, display_name, bio, tags, inbox_rule }) =>
      objectJson({ type: "handle", slug, display_name, bio }, { tags, inbox_rule }),
  },
  space: {
    from: `SELECT s.slug, s.description, s.posting_rights, s.root_rule, s.reply_rule, s.tags
      FROM found f JOIN spaces s ON s.pk = f.target`,
    json: ({ slug, description, posting_rights, root_rule, reply_rule, tags }) =>
      objectJson({ type: "space", slug, description, posting_rights }, { root_rule, reply_rule, tags }),
  },
  schema: {
    from: "SELECT s.subject, s.version, s.compat FROM found f JOIN schemas s ON s.pk = f.target",
    json: ({ subject, version, compat }) =>
      objectJson(
        { type: "schema", subject, ref: `${subject}@${version}`, latest_version: version, compat },
        {},
      ),
  },
};

/** Values in `json` are already JSON text, but values in `values` are not. */
function objectJson(values: object, json: Record<string, string | number | null | undefined>): string {
  const members = Object.entries(json).map(([name, text]) => `,${JSON.stringify(name)}:${text}`);
  return `${JSON.stringify(values).slice(0, -1)}${members.join("")}}`;
}

/** Returns matching entities as JSON. The best match comes first; without `q`, the newest. */
export async function findEntities(session: Session, query: EntityQuery): Promise<string[]> {
  const { sql, values: params } = selectMatches(session, query);
  let found = sql;
  if (query.tags.length > 0) {
    found += ` AND ${textFor(session.engine, HAS_TAGS)}`;
    params.push(texts(query.tags), query.tags.length);
  }
  if (query.acceptsSchema !== undefined) {
    const accepting = acceptsSchema(query.acceptsSchema);
    found += ` AND ${accepting.sql}`;
    params.push(...accepting.values);
  }
  const { from, json } = RESULTS[query.kind];
  const rows = await session.all<Record<string, string | number | null>>(
    unprepared(
      `WITH found AS (${found} ORDER BY rank, e.pk DESC LIMIT ?) ${from} ORDER BY f.rank, f.pk DESC`,
    ),
    [...params, query.limit],
  );
  return rows.map(json);
}

/**
 * The tags are one parameter, so that the statement is the same for any number of tags and can be cached. The
 * second parameter is the number of tags.
 */
const HAS_TAGS = sql`e.pk IN (SELECT entity FROM entity_tags
    WHERE tag IN (SELECT value FROM ${TEXTS.table("wanted")}) GROUP BY entity HAVING count(*) = ?)`;

interface Condition {
  sql: string;
  values: SqlValue[];
}

/** If `q` contains only stop words, finds the entity with exactly the name `q`. */
function selectMatches(session: Session, { kind, q }: EntityQuery): Condition {
  const all = "SELECT e.pk, e.target, 0.0 AS rank FROM entities e WHERE e.kind = ?";
  if (q === undefined) return { sql: all, values: [kind] };
  const search = searchForAllWords(session.engine, "entities_fts", kind, q);
  if (search === null) return { sql: `${all} AND e.name = ?`, values: [kind, normaliseName(kind, q)] };
  const sql = `SELECT e.pk, e.target, t.rank FROM (${search.sql}) t JOIN entities e ON e.pk = t.rowid
    WHERE e.kind = ?`;
  return { sql, values: [...search.values, kind] };
}

/** The prefix `@` or `#` is optional. */
function normaliseName(kind: EntityKind, q: string): string {
  const slugOrSubject = q.trim().toLowerCase().replace(/^[@#]/, "");
  return kind === "schema" ? `@${slugOrSubject}` : slugOrSubject;
}

/**
 * Builds the SQL condition for entities whose posting rules accept a schema
 * (docs/specification/reading.md#switchboard). The ref `@alice/quote` matches rules for any version. The ref
 * `@alice/quote@2` matches rules for version 2, and also rules for `@alice/quote` if version 2 is the latest.
 * Any other text matches nothing.
 */
function acceptsSchema(ref: string): Condition {
  if (!isRef(ref)) return { sql: "1 = 0", values: [] };
  const { subject, version } = parseRef(ref);
  if (version === undefined) {
    return {
      sql: "EXISTS (SELECT 1 FROM entity_schemas x WHERE x.subject = ? AND x.entity = e.pk)",
      values: [subject],
    };
  }
  return {
    sql: `EXISTS (SELECT 1 FROM entity_schemas x WHERE x.subject = ? AND x.entity = e.pk AND (x.ref = ?
      OR (x.ref = x.subject AND ? = (SELECT max(version) FROM schemas WHERE subject = x.subject))))`,
    values: [subject, ref, version],
  };
}
