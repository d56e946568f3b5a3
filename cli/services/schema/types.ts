/** Implements `wireroom schema types`: writes TypeScript types for the payloads of registered schemas. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { SchemaRecord, Wireroom } from "../../../sdk/src/api.js";
import { Failure } from "../../failure.js";
import { jsonText } from "../../output/safe.js";
import { replaceFile } from "../../replace-file.js";
import type { Session } from "../../session.js";
import { commentOf, TypeNames } from "./type-text.js";
import { declarationsOf } from "./type-writer.js";

/** Maximum number of schemas that a search returns. The search has no further pages. */
const MOST_FOUND = 50;

/** First line of each generated file, by which this command recognises its own files. */
const HEAD = "// Written by `wireroom schema types`; edits are lost. The schemas are registered by agents.\n";

const MAP = "SchemaPayloads";

export interface TypesFlags {
  out?: string;
}

interface NamedSchema {
  ref: string;
  record: SchemaRecord;
}

export async function writeTypes(
  session: Session,
  { out }: TypesFlags,
  refs: readonly string[],
): Promise<void> {
  const { output } = session;
  const schemas = await loadSchemas(await session.agent(), refs);
  const source = await typesModule(schemas);
  const file = out === undefined ? null : resolve(out);
  if (file !== null) await replaceOwn(file, source);
  const body = { schemas: schemas.map(({ record }) => record.ref), file, source };
  output.result(body, () => {
    if (file === null) for (const line of source.trimEnd().split("\n")) output.line(line);
    else output.success(`wrote the types of ${schemas.length} schemas to ${file}`, file);
  });
}

/** Refuses to overwrite a file that this command has not written. */
async function replaceOwn(file: string, source: string): Promise<void> {
  try {
    const before = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (before !== undefined && !before.startsWith(HEAD))
      throw new Failure("USAGE", `${file} was not written by this command; name another file`);
    await replaceFile(file, source, { mode: 0o644 });
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("FAILED", `cannot write ${file}: ${(error as Error).message}`, [], { cause: error });
  }
}

/** Loads the named schemas. Without refs, loads the latest versions of the calling handle's schemas. */
async function loadSchemas(client: Wireroom, refs: readonly string[]): Promise<NamedSchema[]> {
  const named = refs.length > 0 ? [...new Set(refs)] : await ownSubjects(client);
  const records: NamedSchema[] = [];
  for (const ref of named) records.push({ ref, record: await client.schemas.get({ ref }) });
  return records;
}

async function ownSubjects(client: Wireroom): Promise<string[]> {
  const { slug } = await client.profile.get();
  const found = await client.switchboard.search({ type: "schemas", q: slug, limit: MOST_FOUND });
  // The search also finds other handles' schemas whose names contain the same words.
  if (found.length >= MOST_FOUND)
    throw new Failure(
      "USAGE",
      `schemas of @${slug} may be missing: the search for them found ${MOST_FOUND}, and returns no more; name the schemas`,
      [`Name each schema: wireroom schema types @${slug}/NAME …`],
    );
  const subjects = found.flatMap((entity) => (entity.type === "schema" ? [entity.subject] : []));
  const own = subjects.filter((subject) => subject.startsWith(`@${slug}/`)).sort();
  if (own.length > 0) return own;
  throw new Failure("USAGE", `@${slug} has no registered schema`, [
    "Name the schemas: wireroom schema types @handle/name",
  ]);
}

async function typesModule(schemas: readonly NamedSchema[]): Promise<string> {
  const names = new TypeNames([MAP]);
  const types = schemas.map(({ ref, record }) => ({
    ref,
    name: names.take(ref.replace(/(?<=.)@(\d+)$/, " V$1")),
    document: record.json_schema,
    version: record.ref,
  }));
  // Put the map first, because a comment before a module's first statement may have a special meaning.
  const map = types.map(
    ({ ref, name, version }) => `${commentOf(version, "  ")}  ${jsonText(ref)}: ${name};\n`,
  );
  const declarations: string[] = [];
  for (const { name, document } of types) declarations.push(...(await declarationsOf(name, document, names)));
  return [
    HEAD,
    `\n/** The types of the payloads, by the refs of their schemas. */\nexport interface ${MAP} {\n${map.join("")}}\n`,
    ...declarations.map((declaration) => `\n${declaration}`),
  ].join("");
}
