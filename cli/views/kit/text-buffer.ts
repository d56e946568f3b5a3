/** Text that is being written: a value, a caret, and what keys do to them. */
import stringWidth from "string-width";
import { safe } from "../../output/safe.js";
import { graphemesOf } from "../../output/text.js";
import type { Key } from "./keys.js";

export interface TextBuffer {
  readonly value: string;
  /** Index into `value`, always between two graphemes. */
  readonly caret: number;
}

export const EMPTY_TEXT: TextBuffer = { value: "", caret: 0 };

/** A buffer with this text, and the caret at its end. */
export function textOf(value: string): TextBuffer {
  return { value, caret: value.length };
}

/** What a key makes of a buffer; undefined for a key that means nothing to it. Line breaks only where `multiline`. */
export function edited(buffer: TextBuffer, key: Key, multiline: boolean): TextBuffer | undefined {
  if (key.text !== "") return inserted(buffer, multiline ? key.text : key.text.replace(/\s*\n\s*/g, " "));
  if (multiline) {
    if (key.name === "meta-enter" || key.name === "ctrl-j") return inserted(buffer, "\n");
    if (key.name === "up") return { ...buffer, caret: lineUp(buffer) };
    if (key.name === "down") return { ...buffer, caret: lineDown(buffer) };
  }
  const move = MOVES[key.name];
  if (move) return { ...buffer, caret: move(buffer) };
  const reach = CUTS[key.name];
  return reach && cut(buffer, reach(buffer));
}

function inserted({ value, caret }: TextBuffer, text: string): TextBuffer {
  return { value: value.slice(0, caret) + text + value.slice(caret), caret: caret + text.length };
}

/** Without what lies between the caret and `to`. */
function cut({ value, caret }: TextBuffer, to: number): TextBuffer {
  const [from, until] = to < caret ? [to, caret] : [caret, to];
  return { value: value.slice(0, from) + value.slice(until), caret: from };
}

type Move = (buffer: TextBuffer) => number;

const left: Move = ({ value, caret }) => caret - (graphemesOf(value.slice(0, caret)).at(-1)?.length ?? 0);
const right: Move = ({ value, caret }) => caret + (graphemesOf(value.slice(caret))[0]?.length ?? 0);
const lineStart: Move = ({ value, caret }) => value.lastIndexOf("\n", caret - 1) + 1;
const lineEnd: Move = ({ value, caret }) => {
  const end = value.indexOf("\n", caret);
  return end < 0 ? value.length : end;
};
const wordLeft: Move = ({ value, caret }) => caret - /\S*\s*$/.exec(value.slice(0, caret))![0].length;
const wordRight: Move = ({ value, caret }) => caret + /^\s*\S*/.exec(value.slice(caret))![0].length;

const MOVES: Readonly<Record<string, Move>> = {
  left,
  right,
  home: lineStart,
  end: lineEnd,
  "ctrl-a": lineStart,
  "ctrl-e": lineEnd,
  "word-left": wordLeft,
  "word-right": wordRight,
  "meta-b": wordLeft,
  "meta-f": wordRight,
};

const CUTS: Readonly<Record<string, Move>> = {
  backspace: left,
  delete: right,
  "ctrl-d": right,
  "ctrl-w": wordLeft,
  "meta-backspace": wordLeft,
  "ctrl-u": lineStart,
  "ctrl-k": lineEnd,
};

function lineUp(buffer: TextBuffer): number {
  const start = lineStart(buffer);
  return start === 0 ? 0 : onLineOf({ ...buffer, caret: start - 1 }, columnOf(buffer));
}

function lineDown(buffer: TextBuffer): number {
  const end = lineEnd(buffer);
  return end === buffer.value.length ? end : onLineOf({ ...buffer, caret: end + 1 }, columnOf(buffer));
}

/** Graphemes between the beginning of the caret's line and the caret. */
function columnOf(buffer: TextBuffer): number {
  return graphemesOf(buffer.value.slice(lineStart(buffer), buffer.caret)).length;
}

/** The index that stands this many graphemes into the caret's line, or at its end. */
function onLineOf(buffer: TextBuffer, column: number): number {
  const start = lineStart(buffer);
  const signs = graphemesOf(buffer.value.slice(start, lineEnd(buffer)));
  return start + signs.slice(0, column).join("").length;
}

/** A line of a field as it is shown: what stands before, under and after the caret, where the caret is on it. */
export interface ShownLine {
  before: string;
  /** Undefined where the caret is on another line. */
  under?: string;
  after: string;
}

/** The field's last `height` lines up to the one with the caret, each broken at `width` columns. */
export function shownLines({ value, caret }: TextBuffer, width: number, height: number): ShownLine[] {
  const lines: ShownLine[] = [{ before: "", after: "" }];
  let used = 0;
  let index = 0;
  const begin = () => {
    lines.push({ before: "", after: "" });
    used = 0;
  };
  const put = (sign: string, isCaret: boolean) => {
    const shown = sign === "\t" ? "    " : safe(sign);
    const wide = stringWidth(shown);
    if (used + wide > width) begin();
    used += wide;
    const line = lines.at(-1)!;
    if (isCaret) line.under = shown;
    else if (line.under === undefined) line.before += shown;
    else line.after += shown;
  };
  for (const sign of graphemesOf(value)) {
    if (sign === "\n") {
      if (index === caret) put(" ", true);
      begin();
    } else put(sign, index === caret);
    index += sign.length;
  }
  if (caret === value.length) put(" ", true);
  const at = lines.findIndex(({ under }) => under !== undefined);
  const first = Math.max(0, Math.min(at - height + 1, lines.length - height));
  return lines.slice(first, first + height);
}
