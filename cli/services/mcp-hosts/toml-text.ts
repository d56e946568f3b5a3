import { isDeepStrictEqual } from "node:util";
import { type AST, getStaticTOMLValue, parseTOML } from "toml-eslint-parser";
import { type ConfigFormat, type EntryPath, lineBreakOf, UnusableConfig } from "./config-text.js";

type Document = Record<string, Record<string, unknown>>;

/** TOML. The entry is a table with a header of its own, such as `[mcp_servers.wireroom]`. */
export const tomlFormat: ConfigFormat = {
  read(text, path) {
    return documentOf(parsed(text))[path[0]]?.[path[1]];
  },
  set(text, path, entry) {
    const program = parsed(text);
    const [first, ...others] = tableRanges(program, path);
    const table = tableText(path, entry).join(lineBreakOf(text));
    const changed = first
      ? `${text.slice(0, first[0])}${table}${withoutRanges(text, others).slice(lineEnd(text, first[1]))}`
      : appended(text, table);
    return verified(changed, withEntry(documentOf(program), path, entry), path);
  },
  remove(text, path) {
    const program = parsed(text);
    const changed = withoutRanges(text, tableRanges(program, path));
    return verified(changed, withEntry(documentOf(program), path, undefined), path);
  },
};

function parsed(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text);
  } catch (error) {
    const { message, lineNumber } = error as Error & { lineNumber?: number };
    throw new UnusableConfig(`it is not valid TOML (line ${lineNumber}: ${message})`);
  }
}

function documentOf(program: AST.TOMLProgram): Document {
  return getStaticTOMLValue(program) as Document;
}

/** Returns the document with another value of the entry. Without an entry, an empty section disappears. */
function withEntry(document: Document, [section, name]: EntryPath, entry: unknown): Document {
  const { [name]: _, ...others } = document[section] ?? {};
  const servers = entry === undefined ? others : { ...others, [name]: entry };
  const { [section]: __, ...rest } = document;
  return Object.keys(servers).length === 0 ? rest : { ...rest, [section]: servers };
}

/**
 * Returns the text if it has this meaning. Otherwise the original text has a form that these edits do not
 * support.
 */
function verified(text: string, expected: Document, path: EntryPath): string {
  const isExpected = () => {
    const actual = documentOf(parseTOML(text));
    return isDeepStrictEqual(withEntry(actual, path, actual[path[0]]?.[path[1]]), expected);
  };
  try {
    if (isExpected()) return text;
  } catch {
    // The text is not valid TOML, for example because a table is defined twice.
  }
  const header = `[${path.join(".")}]`;
  throw new UnusableConfig(`${path[0]} is not written as tables with headers such as ${header}`);
}

/** Returns the ranges of the table of the entry and of the tables inside it, from header to last value. */
function tableRanges(program: AST.TOMLProgram, path: EntryPath): AST.Range[] {
  return program.body[0].body
    .filter((node) => node.type === "TOMLTable")
    .filter(({ resolvedKey }) => path.every((part, index) => resolvedKey[index] === part))
    .map(({ range }) => range);
}

/** Returns the text without the lines of these ranges, which are in order. */
function withoutRanges(text: string, ranges: readonly AST.Range[]): string {
  return ranges.reduceRight((rest, [start, end]) => {
    const before = rest.slice(0, start).replace(/[ \t]+$/, "");
    const after = rest.slice(lineEnd(rest, end)).replace(/^\r?\n/, "");
    // The blank line above goes too, unless it still separates two other parts.
    const separates = after !== "" && !/^\r?\n/.test(after);
    return (separates ? before : before.replace(/(^|\n)\r?\n$/, "$1")) + after;
  }, text);
}

/** Returns the position of the line break at or after `position`, or the end of the text. */
function lineEnd(text: string, position: number): number {
  const rest = /\r?\n/.exec(text.slice(position));
  return rest ? position + rest.index : text.length;
}

function appended(text: string, table: string): string {
  const lineBreak = lineBreakOf(text);
  const gap = text === "" ? "" : text.endsWith("\n") ? lineBreak : lineBreak.repeat(2);
  return `${text}${gap}${table}${lineBreak}`;
}

/** Returns the lines of a table. */
function tableText(path: EntryPath, entry: Record<string, unknown>): string[] {
  return [
    `[${path.join(".")}]`,
    ...Object.entries(entry).map(([key, value]) => `${key} = ${valueText(value)}`),
  ];
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const pairs = Object.entries(value).map(([key, each]) => `${key} = ${valueText(each)}`);
    return `{ ${pairs.join(", ")} }`;
  }
  // The escapes of a JSON string are also valid in TOML, but TOML does not allow a literal U+007F.
  return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}
