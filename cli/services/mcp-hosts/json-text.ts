/**
 * Edits JSON, with the comments and trailing commas that editors accept. `modify` of jsonc-parser is not
 * used, because it formats the neighbours of an entry, and moves or deletes comments between entries.
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
    return node && jsonOf(node);
  },
  set: setValue,
  remove(text, path) {
    return verified(without(text, placeOf(text, path).entry!), path, undefined);
  },
};

function setValue(text: string, path: EntryPath, value: unknown): string {
  const { root, servers, entry: old } = placeOf(text, path);
  const [section, name] = path;
  let changed: string;
  if (!root) changed = `${text}${JSON.stringify({ [section]: { [name]: value } }, null, 2)}\n`;
  else if (old) changed = withValue(text, old.children![1]!, value);
  else if (servers) changed = withProperty(text, servers, name, value);
  else changed = withProperty(text, root, section, { [name]: value });
  return verified(changed, path, value);
}

/**
 * Returns the text with this list in place of an earlier one. Elements that both lists contain keep their
 * text. Without an element, the property disappears. Throws `UnusableConfig`.
 */
export function setList(text: string, path: EntryPath, list: readonly unknown[]): string {
  const node = placeOf(text, path).entry?.children?.[1];
  if (node && node.type !== "array") throw new UnusableConfig(`its property ${path.join(".")} is not a list`);
  if (list.length === 0) return node ? jsonFormat.remove(text, path) : text;
  const surplus = node?.children?.findLast((each) => !isIn(list, jsonOf(each)));
  if (surplus && node!.children!.length > 1) return setList(without(text, surplus), path, list);
  const old = (node?.children ?? []).map(jsonOf);
  const added = list.find((each) => !isIn(old, each));
  if (!node || surplus || old.length === 0) return setValue(text, path, list);
  if (added === undefined) return text;
  return setList(withLast(text, node, "", added), path, list);
}

/**
 * Returns the text without this property of the root, if it is an object without content. Throws
 * `UnusableConfig`.
 */
export function withoutEmpty(text: string, section: string): string {
  const { servers } = placeOf(text, [section, ""]);
  const isEmpty = servers && text.slice(servers.offset + 1, endOf(servers) - 1).trim() === "";
  return isEmpty ? verified(without(text, servers.parent!), [section, ""], undefined) : text;
}

/** The objects of `getNodeValue` have no prototype. */
function jsonOf(node: Node): unknown {
  return structuredClone(getNodeValue(node));
}

function isIn(list: readonly unknown[], value: unknown): boolean {
  return list.some((each) => isDeepStrictEqual(each, value));
}

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

function withProperty(text: string, object: Node, name: string, value: unknown): string {
  const isEmpty = !object.children?.length;
  return isEmpty
    ? withFirstProperty(text, object, name, value)
    : withLast(text, object, `${JSON.stringify(name)}: `, value);
}

/** Adds a property or an element at the end of an object or a list, in the style of the one before it. */
function withLast(text: string, parent: Node, label: string, value: unknown): string {
  const last = parent.children!.at(-1)!;
  const { comma, lineEnd } = after(text, endOf(last));
  const lineBreak = lineBreakOf(text);
  const added =
    lineEnd === undefined
      ? ` ${label}${JSON.stringify(value)}`
      : `${lineBreak}${indentAt(text, last.offset)}${label}${valueText(text, last.offset, value)}`;
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

/**
 * Removes a property or an element with its comma, and its lines if nothing else is on them. Comments stay.
 */
function without(text: string, node: Node): string {
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
 * Returns what follows a property: its comma, and the end of the line of the comma, or of the property if it
 * has none. Undefined if there is no comma, or if something else than comments is between.
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
