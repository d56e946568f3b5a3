/**
 * Edits JSON, with the comments and trailing commas that editors accept. `modify` of jsonc-parser is not used, because
 * it formats the neighbours of an entry, and moves or deletes comments between entries.
 */
import { isDeepStrictEqual } from "node:util";
import {
  createScanner,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { type ConfigFormat, type EntryPath, lineBreakOf, UnusableConfig } from "./config-text.js";

export const jsonFormat: ConfigFormat = {
  read(text, path) {
    const node = placeOf(text, path).entry?.children?.[1];
    // The objects of `getNodeValue` have no prototype.
    return node && structuredClone(getNodeValue(node));
  },
  set(text, path, entry) {
    const { root, servers, entry: old } = placeOf(text, path);
    const [section, name] = path;
    let changed: string;
    if (!root) changed = `${text}${JSON.stringify({ [section]: { [name]: entry } }, null, 2)}\n`;
    else if (old) changed = withValue(text, old.children![1]!, entry);
    else if (servers) changed = withProperty(text, servers, name, entry);
    else changed = withProperty(text, root, section, { [name]: entry });
    return verified(changed, path, entry);
  },
  remove(text, path) {
    return verified(withoutProperty(text, placeOf(text, path).entry!), path, undefined);
  },
};

/** The nodes on the way to an entry, as far as they exist. `entry` is the property, with its name. */
interface Place {
  root: Node | undefined;
  servers: Node | undefined;
  entry: Node | undefined;
}

/** Throws `UnusableConfig` if the text is broken or the path is ambiguous. */
function placeOf(text: string, [section, name]: EntryPath): Place {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split("\n").length;
    throw new UnusableConfig(`it is not valid JSON (line ${line}: ${printParseErrorCode(first.error)})`);
  }
  if (root && root.type !== "object") throw new UnusableConfig("it does not contain a JSON object");
  const servers = property(root, section)?.children?.[1];
  if (servers && servers.type !== "object")
    throw new UnusableConfig(`its property ${JSON.stringify(section)} is not an object`);
  return { root, servers, entry: property(servers, name) };
}

/** Returns a property. Readers disagree on which of two equal names counts, so both are refused. */
function property(parent: Node | undefined, name: string): Node | undefined {
  const found = (parent?.children ?? []).filter(({ children }) => children?.[0]?.value === name);
  if (found.length > 1) throw new UnusableConfig(`it contains the property ${JSON.stringify(name)} twice`);
  return found[0];
}

function verified(text: string, path: EntryPath, entry: unknown): string {
  try {
    if (isDeepStrictEqual(jsonFormat.read(text, path), entry)) return text;
  } catch (error) {
    if (!(error instanceof UnusableConfig)) throw error;
  }
  throw new UnusableConfig("it has a form that this command cannot edit");
}

function withValue(text: string, node: Node, value: unknown): string {
  return replaced(text, node.offset, endOf(node), valueText(text, node.offset, value));
}

/** Adds a property at the end of an object, in the style of the property before it. */
function withProperty(text: string, object: Node, name: string, value: unknown): string {
  const last = object.children?.at(-1);
  if (!last) return withFirstProperty(text, object, name, value);
  const { comma, lineEnd } = after(text, endOf(last));
  const lineBreak = lineBreakOf(text);
  const added =
    lineEnd === undefined
      ? ` ${JSON.stringify(name)}: ${JSON.stringify(value)}`
      : `${lineBreak}${indentAt(text, last.offset)}${JSON.stringify(name)}: ${valueText(text, last.offset, value)}`;
  if (comma !== undefined) return replaced(text, lineEnd ?? comma + 1, lineEnd ?? comma + 1, `${added},`);
  const position = lineEnd ?? endOf(last);
  return replaced(replaced(text, position, position, added), endOf(last), endOf(last), ",");
}

function withFirstProperty(text: string, object: Node, name: string, value: unknown): string {
  const start = object.offset + 1;
  const outer = indentAt(text, object.offset);
  const lineBreak = lineBreakOf(text);
  const json = `${JSON.stringify({ [name]: value }, null, unitOf(text))
    .slice(1, -1)
    .trimEnd()}\n`;
  const added = json.replaceAll("\n", `${lineBreak}${outer}`);
  const isEmpty = text.slice(start, endOf(object) - 1).trim() === "";
  if (isEmpty) return replaced(text, start, endOf(object) - 1, added);
  // The braces contain only comments.
  return replaced(text, start, start, added.trimEnd());
}

/** Removes a property with its comma, and its lines if nothing else is on them. Comments stay. */
function withoutProperty(text: string, node: Node): string {
  const { comma } = after(text, endOf(node));
  const previous = node.parent!.children![node.parent!.children!.indexOf(node) - 1];
  const before = text.slice(0, node.offset);
  const rest = text.slice(comma === undefined ? endOf(node) : comma + 1);
  const isLineStart = /(^|\n)[ \t]*$/.test(before);
  const isLineEnd = /^[ \t]*(\r?\n|$)/.test(rest);
  const start =
    isLineStart && isLineEnd
      ? before.replace(/\r?\n?[ \t]*$/, "").length
      : before.replace(/(?<=\S) $/, "").length;
  const end = text.length - (isLineStart && !isLineEnd ? rest.trimStart() : rest).length;
  let changed = replaced(text, start, end, "");
  if (comma === undefined && previous) {
    const { comma: between } = after(text, endOf(previous));
    changed = replaced(changed, between!, between! + 1, "");
  }
  // `{ }` and braces on two lines become `{}` again.
  const open = node.parent!.offset;
  const empty = /^\{\s*\}/.exec(changed.slice(open));
  return empty ? replaced(changed, open, open + empty[0].length, "{}") : changed;
}

/**
 * Returns what follows a property: its comma, and the end of the line of the comma, or of the property if it has none.
 * Undefined if there is no comma, or if something else than comments is between.
 */
function after(text: string, position: number): { comma: number | undefined; lineEnd: number | undefined } {
  const scanner = createScanner(text, false);
  scanner.setPosition(position);
  let comma: number | undefined;
  let lineEnd: number | undefined;
  for (;;) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    const token = text.slice(offset, offset + scanner.getTokenLength());
    if (token === "," && comma === undefined) {
      comma = offset;
      lineEnd = undefined;
    } else if (/^[\r\n]/.test(token)) lineEnd ??= offset;
    else if (!/^(?:[ \t]|\/[/*])/.test(token)) return { comma, lineEnd };
  }
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function replaced(text: string, start: number, end: number, by: string): string {
  return `${text.slice(0, start)}${by}${text.slice(end)}`;
}

/** Returns a value as JSON on several lines, indented like the line at `position`. */
function valueText(text: string, position: number, value: unknown): string {
  const lines = JSON.stringify(value, null, unitOf(text)).split("\n");
  return lines.join(`${lineBreakOf(text)}${indentAt(text, position)}`);
}

/** Returns the white space at the start of the line that contains the position. */
function indentAt(text: string, position: number): string {
  const line = text.slice(text.lastIndexOf("\n", position - 1) + 1);
  return /^[ \t]*/.exec(line)![0];
}

/** Returns one level of indentation: the smallest one that the text uses. */
function unitOf(text: string): string {
  const indents = [...text.matchAll(/^([ \t]+)"/gm)].map(([, indent]) => indent!);
  return indents.sort((one, other) => one.length - other.length)[0] ?? "  ";
}
