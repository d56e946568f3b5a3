/**
 * Converts a JSON Schema of an older draft, or with other keywords, to a document that can be registered.
 * Only the command `wireroom schema import` uses this module.
 */
import type { Reason } from "../../contract/errors.js";
import { MAX_SCHEMA_BYTES } from "../../contract/fields.js";
import { withoutKeywords } from "../../domain/json-schema/annotations.js";
import { type Effect, Importer, type LoadedDocument } from "../../domain/json-schema/import/importer.js";
import { type Place, SourceDocuments } from "../../domain/json-schema/import/source-documents.js";
import { checkSchema, type JsonObject } from "../../domain/json-schema/index.js";

/** A change that the import made, and where it made the change, such as `base.json#/definitions/name`. */
export interface Change {
  effect: Effect;
  text: string;
  places: string[];
}

/** A reference that does not resolve. If its document was not found, `missing` is the document's URI. */
export interface UnresolvedReference {
  reference: string;
  place: string;
  missing: string | undefined;
}

export interface ImportedSchema {
  document: JsonObject;
  changes: Change[];
  unresolved: UnresolvedReference[];
  problems: Reason[];
}

/**
 * Imports the schema at a JSON Pointer in a document.
 * @param load returns another document by its URI, or undefined if there is none
 */
export async function importSchema(
  { uri, root, pointer }: { uri: string; root: unknown; pointer: string },
  load: (uri: string) => Promise<LoadedDocument | undefined>,
): Promise<ImportedSchema> {
  const documents = new SourceDocuments();
  const entry = { document: documents.add(uri, "", root), pointer };
  const label = ({ document, pointer }: Place) => `${document.name}#${pointer}`;
  const changes = new Map<string, { effect: Effect; text: string; places: Set<string> }>();
  const report = (effect: Effect, text: string, place: Place) => {
    const key = `${effect} ${text}`;
    const change = changes.get(key) ?? { effect, text, places: new Set() };
    changes.set(key, change);
    change.places.add(label(place));
  };
  const { dialect, isDeclared } = entry.document;
  if (isDeclared && dialect.version < 2020) report("none", `${dialect.name} is upgraded to 2020-12`, entry);
  if (!isDeclared) {
    const isCustom = Object.hasOwn(Object(root), "$schema");
    report(isCustom ? "stricter" : "none", "read as 2020-12, because no known draft is named", entry);
  }
  const importer = new Importer(documents, load, report);
  const document = fitted(await importer.import(entry), (text) => report("none", text, entry));
  return {
    document,
    changes: [...changes.values()].map(({ places, ...change }) => ({ ...change, places: [...places] })),
    unresolved: importer.unresolved.map(({ place, ...rest }) => ({ ...rest, place: label(place) })),
    problems: importer.unresolved.length > 0 ? [] : problemsOf(document, root),
  };
}

function problemsOf(document: object, source: unknown): Reason[] {
  const { $schema } = (source ?? {}) as { $schema?: unknown };
  if (typeof $schema !== "string" || !/draft-0[0-3]/.test($schema)) return checkSchema(document);
  const message = "drafts before 4 cannot be imported; write the schema for a later one";
  return [{ instancePath: "/$schema", keyword: "$schema", message }];
}

/** Annotations to remove from a document that is too large, in this order. */
const LEFT_OUT = ["$comment", "examples", "default", "description", "title"];

function fitted(document: JsonObject, report: (text: string) => void): JsonObject {
  let fitting = document;
  for (const annotation of LEFT_OUT) {
    if (Buffer.byteLength(JSON.stringify(fitting)) <= MAX_SCHEMA_BYTES) break;
    fitting = withoutKeywords(fitting, new Set([annotation])) as JsonObject;
    report(`"${annotation}" is left out, because the document is too large`);
  }
  return fitting;
}
