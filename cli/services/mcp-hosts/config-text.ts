/** Edits one entry of a configuration text. Other entries keep their comments. */
import { isDeepStrictEqual } from "node:util";
import * as toml from "@decimalturn/toml-patch";
import { applyEdits, modify, type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import type { HostEntry } from "../../../src/mcp-hosts/entries.js";
import { isJsonObject } from "../../json-object.js";

export type EntryPath = readonly [section: string, name: string];
type Document = Record<string, Record<string, unknown> | undefined>;

interface ConfigFormat {
  parse(text: string): Document;
  /** Removes the value if it is undefined. */
  edit(text: string, path: EntryPath, value: unknown): string;
}

/** Thrown if a configuration text is invalid, or has a form that cannot be edited safely. */
export class UnusableConfig extends Error {
  override readonly name = "UnusableConfig";
}

export function entryIn(text: string, format: HostEntry["format"], [section, name]: EntryPath): unknown {
  const entries = FORMATS[format].parse(text)[section];
  if (entries !== undefined && !isJsonObject(entries))
    throw new UnusableConfig(`its property ${JSON.stringify(section)} is not an object`);
  return entries?.[name];
}

/**
 * Returns the text with the entry set, or removed if the value is undefined. Throws `UnusableConfig` if the
 * edit would change anything else.
 */
export function withEntry(
  text: string,
  format: HostEntry["format"],
  path: EntryPath,
  entry: unknown,
): string {
  if (isDeepStrictEqual(entryIn(text, format, path), entry)) return text;
  const { parse, edit } = FORMATS[format];
  return verified(parse, hasOnlyChanged(parse(text), path, entry), () => edit(text, path, entry));
}

/**
 * Returns the JSON text with this list set at the path. Appending elements leaves existing elements and their
 * comments unchanged. Removes an empty list and an empty section.
 */
export function withList(text: string, path: EntryPath, list: readonly unknown[]): string {
  const old = entryIn(text, "json", path) ?? [];
  if (!Array.isArray(old)) throw new UnusableConfig(`its property ${path.join(".")} is not a list`);
  if (isDeepStrictEqual(old, list)) return text;
  const isOnlyAdded = old.length > 0 && isDeepStrictEqual(old, list.slice(0, old.length));
  if (isOnlyAdded)
    return verified(json.parse, hasOnlyChanged(json.parse(text), path, list), () =>
      list.slice(old.length).reduce<string>((edited, each) => modified(edited, [...path, -1], each), text),
    );
  const edited = withEntry(text, "json", path, list.length === 0 ? undefined : list);
  const isEmpty = Object.keys(json.parse(edited)[path[0]] ?? {}).length === 0;
  return isEmpty ? modified(edited, [path[0]], undefined) : edited;
}

/** Returns the TOML text in which `tables` replace the tables of the array `name` that `isOwn` selects. */
export function withTables(
  text: string,
  name: string,
  isOwn: (table: unknown) => boolean,
  tables: readonly object[],
): string {
  const old = tablesIn(text, name);
  if (isDeepStrictEqual(old.filter(isOwn), tables)) return text;
  const kept = old.filter((table) => !isOwn(table));
  const document: Record<string, unknown> = toml.parse(text);
  const documentWith = (list: readonly unknown[]) => {
    const { [name]: _, ...others } = document;
    return list.length === 0 ? others : { ...others, [name]: list };
  };
  const wanted = structuredClone(documentWith([...kept, ...tables]));
  return verified(
    tomlFormat.parse,
    (edited) => isDeepStrictEqual(edited, wanted),
    () => {
      // An empty list is removed, because no table can follow it.
      const isKept = document[name] === undefined || (kept.length > 0 && kept.length === old.length);
      const rest = isKept ? text : toml.patch(text, documentWith(kept));
      return tables.reduce((before: string, table) => withTable(before, `[[${name}]]`, table), rest);
    },
  );
}

export function tablesIn(text: string, name: string): unknown[] {
  const list: unknown = tomlFormat.parse(text)[name] ?? [];
  if (Array.isArray(list)) return list;
  throw new UnusableConfig(`its property ${name} is not a list`);
}

const json: ConfigFormat = {
  parse(text) {
    const errors: ParseError[] = [];
    const document = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true }) ?? {};
    const [first] = errors;
    if (first) {
      const line = text.slice(0, first.offset).split("\n").length;
      throw new UnusableConfig(`it is not valid JSON (line ${line}: ${printParseErrorCode(first.error)})`);
    }
    if (!isJsonObject(document)) throw new UnusableConfig("it does not contain a JSON object");
    return document as Document;
  },
  edit: (text, path, value) => modified(text, [...path], value),
};

const tomlFormat: ConfigFormat = {
  parse(text) {
    try {
      // Copy the document, because the library's objects have no prototype.
      return structuredClone(toml.parse(text));
    } catch (error) {
      const { line, message } = error as Error & { line?: number };
      throw new UnusableConfig(`it is not valid TOML (line ${line}: ${message.split("\n").at(-1)})`);
    }
  },
  edit(text, [section, name], value) {
    const document: Document = toml.parse(text);
    // Append a new table at the end, because the library would write a dotted key above the first table.
    if (document[section]?.[name] === undefined)
      return withTable(text, `[${section}.${name}]`, value as object);
    const others = without(document, [section, name]);
    if (value === undefined) return toml.patch(text, others);
    return toml.patch(text, { ...others, [section]: { ...others[section], [name]: value } });
  },
};

const FORMATS: Readonly<Record<HostEntry["format"], ConfigFormat>> = { json, toml: tomlFormat };

function withTable(text: string, header: string, entry: object): string {
  const lineBreak = lineBreakOf(text);
  const table = [header, ...toml.stringify(entry, { inlineTableStart: 0 }).trimEnd().split(/\r?\n/), ""];
  const gap = text === "" ? "" : text.endsWith("\n") ? lineBreak : lineBreak.repeat(2);
  return `${text}${gap}${table.join(lineBreak)}`;
}

function verified(
  parse: ConfigFormat["parse"],
  isWanted: (document: Document) => boolean,
  edit: () => string,
): string {
  try {
    const edited = edit();
    if (isWanted(parse(edited))) return edited;
  } catch {
    // The edited text is invalid, for example because a table is defined twice.
  }
  throw new UnusableConfig("it has a form that this command cannot edit");
}

function hasOnlyChanged(before: Document, path: EntryPath, value: unknown): (after: Document) => boolean {
  const [section, name] = path;
  return (after) =>
    isDeepStrictEqual(after[section]?.[name], value) &&
    isDeepStrictEqual(without(after, path), without(before, path));
}

function without(document: Document, [section, name]: EntryPath): Document {
  const { [section]: entries = {}, ...rest } = document;
  const { [name]: _, ...others } = entries;
  return Object.keys(others).length === 0 ? rest : { ...rest, [section]: others };
}

/** Sets or removes a value in a JSON text. jsonc-parser formats only the changed lines. */
function modified(text: string, path: (string | number)[], value: unknown): string {
  const [indent = "  "] = /^[ \t]+(?=")/m.exec(text) ?? [];
  const edited = applyEdits(
    text,
    modify(text, path, value, {
      isArrayInsertion: path.at(-1) === -1,
      formattingOptions: {
        insertSpaces: !indent.includes("\t"),
        tabSize: indent.length,
        eol: lineBreakOf(text),
      },
    }),
  );
  return text === "" ? `${edited}\n` : edited;
}

function lineBreakOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
