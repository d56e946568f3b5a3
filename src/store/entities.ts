/** The switchboard: discoverable handles, public spaces and registered schemas, as they are listed at present. */
import type { EntityResult, Handle, PostingRule, Space } from "../contract/shapes.js";
import type { Session, SqlValue, Transaction } from "./engine/engine.js";
import { NUMBERS, numbered, once, RowsOf, written } from "./engine/sql.js";
import { indexText, plainWords, searchForAllWords, storeTerms } from "./fulltext/index.js";
import { splitRef } from "./schemas.js";

export type EntityKind = EntityResult["type"];

export interface Listing {
  kind: EntityKind;
  /** Slug or subject: unique among its kind. */
  name: string;
  /** pk of the handle, the space or the schema's latest version. */
  target: number;
  /** What `q` finds it by. */
  words: readonly (string | null)[];
  tags: readonly string[];
  rules: readonly PostingRule[];
}

const TAGS = new RowsOf({ tag: "text", entity: "integer" });
const INSERT_TAGS = written(
  (engine) => `INSERT INTO entity_tags (tag, entity) SELECT tag, entity FROM ${TAGS.as(engine, "tags")}`,
);
const REFS = new RowsOf({ subject: "text", ref: "text", entity: "integer" });
const INSERT_REFS = written(
  (engine) =>
    `INSERT INTO entity_schemas (subject, ref, entity) SELECT subject, ref, entity FROM ${REFS.as(engine, "refs")}`,
);

/** Lists an entity as it is now, in place of how it was listed before. */
export async function listEntity(tx: Transaction, entity: Listing): Promise<void> {
  const row = await tx.get<{ pk: number }>(
    `INSERT INTO entities (kind, name, target) VALUES (?, ?, ?)
     ON CONFLICT (kind, name) DO UPDATE SET target = excluded.target RETURNING pk`,
    [entity.kind, entity.name, entity.target],
  );
  const pk = row!.pk;
  await clear(tx, pk);
  await storeTerms(tx, "entities_fts", [[pk, termsOf(entity.kind, entity.words)]]);
  const tags = [...new Set(entity.tags)];
  if (tags.length > 0) await tx.run(INSERT_TAGS, [TAGS.bind(tags.map((tag) => [tag, pk]))]);
  const refs = [...new Set(entity.rules.flatMap((rule) => rule.accepted_schemas))];
  if (refs.length > 0) {
    await tx.run(INSERT_REFS, [REFS.bind(refs.map((ref) => [splitRef(ref).subject, ref, pk]))]);
  }
}

/** What `q` finds each kind of entity by. */
export const LISTED_WORDS = {
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

/** What the full-text index holds of an entity. */
function termsOf(kind: EntityKind, words: readonly (string | null)[]): string {
  return indexText(kind, plainWords(words.filter((text) => text !== null).join("\n")));
}

interface WordsRow {
  pk: number;
  kind: EntityKind;
  name: string;
  display_name: string | null;
  bio: string | null;
  description: string | null;
  tags: string | null;
}

const WORDS = written(
  (engine) => `
  SELECT e.pk, e.kind, e.name, h.display_name, h.bio, s.description, coalesce(h.tags, s.tags) AS tags
  FROM ${NUMBERS.as(engine, "q")} JOIN entities e ON e.pk = q.value
  LEFT JOIN handles h ON e.kind = 'handle' AND h.pk = e.target
  LEFT JOIN spaces s ON e.kind = 'space' AND s.pk = e.target`,
);

/** What the full-text index is to hold of entities that are listed: number and terms of each. */
export async function entityTerms(
  session: Session,
  pks: readonly number[],
): Promise<[pk: number, terms: string][]> {
  const rows = await session.all<WordsRow>(WORDS, [numbered(pks)]);
  return rows.map(({ pk, kind, name, tags, ...texts }) => {
    const named = { ...texts, slug: name, tags: tags === null ? [] : (JSON.parse(tags) as string[]) };
    return [pk, termsOf(kind, kind === "schema" ? LISTED_WORDS.schema(name) : LISTED_WORDS[kind](named))];
  });
}

/** Takes an entity off the switchboard. */
export async function unlistEntity(tx: Transaction, kind: EntityKind, name: string): Promise<void> {
  const row = await tx.get<{ pk: number }>("SELECT pk FROM entities WHERE kind = ? AND name = ?", [
    kind,
    name,
  ]);
  if (!row) return;
  await clear(tx, row.pk);
  await tx.run("DELETE FROM entities WHERE pk = ?", [row.pk]);
}

async function clear(tx: Transaction, pk: number): Promise<void> {
  await tx.run("DELETE FROM entities_fts WHERE rowid = ?", [pk]);
  await tx.run("DELETE FROM entity_tags WHERE entity = ?", [pk]);
  await tx.run("DELETE FROM entity_schemas WHERE entity = ?", [pk]);
}

export interface EntityQuery {
  kind: EntityKind;
  q: string | undefined;
  tags: readonly string[];
  acceptsSchema: string | undefined;
  limit: number;
}

/** What each kind of result is made of, from its target. */
const RESULTS: Record<
  EntityKind,
  { from: string; json: (row: Record<string, string | number | null>) => string }
> = {
  handle: {
    from: "SELECT h.slug, h.display_name, h.bio, h.tags, h.inbox_rule FROM found f JOIN handles h ON h.pk = f.target",
    json: ({ slug, display_name, bio, tags, inbox_rule }) =>
      object({ type: "handle", slug, display_name, bio }, { tags, inbox_rule }),
  },
  space: {
    from: `SELECT s.slug, s.description, s.posting_rights, s.root_rule, s.reply_rule, s.tags
      FROM found f JOIN spaces s ON s.pk = f.target`,
    json: ({ slug, description, posting_rights, root_rule, reply_rule, tags }) =>
      object({ type: "space", slug, description, posting_rights }, { root_rule, reply_rule, tags }),
  },
  schema: {
    from: "SELECT s.subject, s.version, s.compat FROM found f JOIN schemas s ON s.pk = f.target",
    json: ({ subject, version, compat }) =>
      object({ type: "schema", subject, ref: `${subject}@${version}`, latest_version: version, compat }, {}),
  },
};

/** An object as JSON: plain values, then those that are stored as JSON. */
function object(values: object, json: Record<string, string | number | null | undefined>): string {
  const members = Object.entries(json).map(([name, text]) => `,${JSON.stringify(name)}:${text}`);
  return `${JSON.stringify(values).slice(0, -1)}${members.join("")}}`;
}

/** Results as JSON texts: best matches first, and the newest first where nothing is searched for. */
export async function findEntities(session: Session, query: EntityQuery): Promise<string[]> {
  const { sql, values: params } = foundBy(session, query);
  let found = sql;
  for (const tag of query.tags) {
    found += " AND EXISTS (SELECT 1 FROM entity_tags g WHERE g.tag = ? AND g.entity = e.pk)";
    params.push(tag);
  }
  if (query.acceptsSchema !== undefined) {
    const accepting = accepts(query.acceptsSchema);
    found += ` AND ${accepting.sql}`;
    params.push(...accepting.values);
  }
  const { from, json } = RESULTS[query.kind];
  const rows = await session.all<Record<string, string | number | null>>(
    once(`WITH found AS (${found} ORDER BY rank, e.pk DESC LIMIT ?) ${from} ORDER BY f.rank, f.pk DESC`),
    [...params, query.limit],
  );
  return rows.map(json);
}

interface Condition {
  sql: string;
  values: SqlValue[];
}

/** What `q` finds, among one kind. A query of stop words alone is still to find the entity of that very name. */
function foundBy(session: Session, { kind, q }: EntityQuery): Condition {
  const all = "SELECT e.pk, e.target, 0.0 AS rank FROM entities e WHERE e.kind = ?";
  if (q === undefined) return { sql: all, values: [kind] };
  const search = searchForAllWords(session.engine, "entities_fts", kind, q);
  if (search === null) return { sql: `${all} AND e.name = ?`, values: [kind, nameIn(kind, q)] };
  const sql = `SELECT e.pk, e.target, t.rank FROM (${search.sql}) t JOIN entities e ON e.pk = t.rowid
    WHERE e.kind = ?`;
  return { sql, values: [...search.values, kind] };
}

/** The name as it is listed, from one with or without its sign. */
function nameIn(kind: EntityKind, q: string): string {
  const bare = q.trim().toLowerCase().replace(/^[@#]/, "");
  return kind === "schema" ? `@${bare}` : bare;
}

/**
 * A rule lists that ref; given unpinned, any version of that subject; given pinned, also the subject unpinned while that
 * version is its latest (decisions, section 5).
 */
function accepts(ref: string): Condition {
  const { subject, version } = splitRef(ref);
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
