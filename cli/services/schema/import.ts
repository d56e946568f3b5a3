/** Implements `wireroom schema import`: converts a JSON Schema file, lists the changes, and registers it. */
import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Change, type ImportedSchema, importSchema } from "../../../daemon/local/offline.js";
import { Failure } from "../../failure.js";
import { readJson, readJsonDocument } from "../../input/values.js";
import { oneLine } from "../../output/safe.js";
import { shellQuoted } from "../../output/shell-quote.js";
import { jsonLines } from "../../output/show/wire.js";
import type { Session } from "../../session.js";

export interface ImportFlags {
  subject?: string;
  with?: string[];
  dryRun?: boolean;
}

interface Included {
  name: string;
  root: unknown;
}

/** @param source a file, optionally with the schema's JSON Pointer: `api.json#/components/schemas/Order` */
export async function importSchemaFile(session: Session, flags: ImportFlags, source: string): Promise<void> {
  const { output } = session;
  const [, file = source, pointer = ""] = /^(?!\s*\{)(.*?)#(\/.*)?$/s.exec(source) ?? [];
  const root = await readJsonDocument(file, "the schema", session.io.stdin);
  assertSchema(root, file, pointer);
  const isFile = file !== "-" && !/^\s*[@{]/.test(file);
  const path = resolve(isFile ? file : "schema.json");
  const named = await Promise.all((flags.with ?? []).map((name) => readIncluded(session, name)));
  const imported = await importSchema({ uri: pathToFileURL(path).href, root, pointer }, (uri) =>
    findIncluded(session, new URL(uri), { path, root, named }),
  );
  assertRegistrable(imported, source);
  const { document, changes } = imported;
  for (const line of listOf(changes)) output.note(oneLine(line));
  if (flags.dryRun) {
    output.result({ json_schema: document, changes }, () => {
      for (const line of jsonLines(document)) output.line(line);
    });
    return;
  }
  const client = await session.writer();
  const { slug } = await client.profile.get();
  const subject = flags.subject ?? `@${slug}/${subjectName(isFile ? file : "", pointer)}`;
  const isOwn = subject.startsWith(`@${slug}/`);
  if (isOwn) await session.prompt.confirm(`Register the document as ${oneLine(subject)}?`);
  session.hintNames.schema = subject;
  const body = await client.schemas.register({ subject, json_schema: document });
  output.result({ ...body, changes }, () => {
    output.success(`registered ${body.ref}`, body.ref);
    output.nextSteps(`wireroom schema check ${shellQuoted(body.ref)} '{…}'`);
  });
}

/** Throws `USAGE` for a list, a value, or an OpenAPI document, in which only the components are schemas. */
function assertSchema(root: unknown, file: string, pointer: string): void {
  if (typeof root !== "boolean" && (typeof root !== "object" || root === null || Array.isArray(root)))
    throw new Failure("USAGE", "a schema must be a JSON object, not a list or a value");
  const { openapi, swagger, components, definitions } = (root ?? {}) as Record<
    string,
    Record<string, object>
  >;
  if (pointer !== "" || (openapi ?? swagger) === undefined) return;
  const [schemas, path] = openapi
    ? [components?.schemas, "components/schemas"]
    : [definitions, "definitions"];
  const names = Object.keys(schemas ?? {}).slice(0, 5);
  throw new Failure("USAGE", "an OpenAPI document is not a schema, but contains schemas; name one of them", [
    ...names.map((name) => `wireroom schema import ${shellQuoted(oneLine(`${file}#/${path}/${name}`))}`),
  ]);
}

async function readIncluded({ io }: Session, file: string): Promise<Included> {
  return { name: basename(file), root: await readJson(`@${file}`, file, io.stdin) };
}

/**
 * Finds a document by its URI: among the files of `--with`, and then in the schema's folder and subfolders. A
 * file in these folders must have the URI as its `$id`. If it has no `$id`, its path relative to the schema
 * must match the URI. Links that lead out of these folders are not followed.
 */
async function findIncluded(
  session: Session,
  url: URL,
  { path, root, named }: { path: string; root: unknown; named: readonly Included[] },
): Promise<Included | undefined> {
  const name = basename(url.pathname);
  const given =
    named.find((file) => isSameUri(idOf(file.root), url.href)) ?? named.find((file) => file.name === name);
  if (given) return given;
  const folder = dirname(path);
  const isLocal = url.protocol === "file:";
  const files = isLocal ? fileOf(url) : [name, `${name}.json`].map((each) => join(folder, each));
  for (const file of files) {
    if (file === path || !(await isWithin(folder, file))) continue;
    const found = await readIncluded(session, file);
    const id = idOf(found.root);
    const beside = folderOf(url.href);
    const isBeside = beside !== undefined && beside === folderOf(idOf(root));
    if (isLocal || (id === undefined ? isBeside : isSameUri(id, url.href))) return found;
  }
  return undefined;
}

/** Returns nothing for the URL of another machine's file, such as `file://host/order.json`. */
function fileOf(url: URL): string[] {
  try {
    return [fileURLToPath(url)];
  } catch {
    return [];
  }
}

/** Returns undefined for a URI without folders, such as `urn:example:order`. */
function folderOf(uri: string | undefined): string | undefined {
  return URL.canParse(".", uri) ? new URL(".", uri).href : undefined;
}

async function isWithin(folder: string, file: string): Promise<boolean> {
  try {
    return (await realpath(file)).startsWith((await realpath(folder)) + sep);
  } catch {
    return false;
  }
}

function idOf(root: unknown): string | undefined {
  const { $id, id = $id } = (root ?? {}) as { $id?: unknown; id?: unknown };
  return typeof id === "string" && URL.canParse(id) ? id : undefined;
}

/** Compares URIs without `https:`, `.json` and fragment, which references often leave out. */
function isSameUri(one: string | undefined, other: string): boolean {
  const bare = (uri: string) =>
    uri
      .replace(/#.*$/, "")
      .replace(/\.json$/, "")
      .replace(/^https?:/, "");
  return one !== undefined && bare(one) === bare(other);
}

function assertRegistrable({ unresolved, problems }: ImportedSchema, source: string): void {
  const command = `wireroom schema import ${shellQuoted(source)}`;
  const missing = [...new Set(unresolved.flatMap((each) => each.missing ?? []))];
  if (missing.length > 0)
    throw new Failure("USAGE", `these documents are not here: ${missing.map(oneLine).join(", ")}`, [
      `Download them, and name the files: ${command} ${missing.map(() => "--with FILE").join(" ")}`,
    ]);
  const [broken] = unresolved;
  if (broken)
    throw new Failure(
      "USAGE",
      `the reference ${JSON.stringify(broken.reference)} at ${broken.place} leads to no schema; correct it`,
    );
  const [problem] = problems;
  if (!problem) return;
  throw new Failure(
    "USAGE",
    `the document would not be registered: ${problem.instancePath} ${problem.message}`,
    [
      problem.keyword === "size"
        ? `Import a part of it: ${command}${source.includes("#/") ? "" : "#/definitions"}/NAME`
        : "Correct the schema, and import it again.",
    ],
  );
}

const HEADINGS: readonly [Change["effect"], string][] = [
  ["none", "Changed, without an effect on what is valid:"],
  ["looser", 'Not checked any more (below "not", "if" or "oneOf", this can also reject payloads):'],
  ["stricter", "Checked by the service, but not by every validator of the original:"],
];

/** Maximum number of places that are listed for one change. `--json` lists all places. */
const MAX_PLACES = 3;

function listOf(changes: readonly Change[]): string[] {
  const lines = HEADINGS.flatMap(([effect, heading]) => {
    const found = changes.filter((change) => change.effect === effect);
    return found.length === 0 ? [] : [heading, ...found.map(lineOf)];
  });
  return lines.length > 0 ? lines : ["The document is unchanged."];
}

function lineOf({ text, places }: Change): string {
  const more = places.length > MAX_PLACES ? ` and ${places.length - MAX_PLACES} more` : "";
  return `  ${text}: ${places.slice(0, MAX_PLACES).join(", ")}${more}`;
}

function subjectName(file: string, pointer: string): string {
  const last = pointer.split("/").at(-1) || basename(file).replace(/(\.schema)?(\.[^.]*)?$/, "");
  const name = last
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, 64);
  if (name !== "") return name;
  throw new Failure("USAGE", "the schema has no name", ["Add --subject @handle/name."]);
}
