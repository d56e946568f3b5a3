/**
 * A field's text and caret, and the keys that edit it. docs/decisions/023-run-views-on-inks-render.md
 * explains why this uses no package.
 */
import stringWidth from "string-width";
import { safe } from "../../output/safe.js";
import { graphemesOf } from "../../output/text.js";
import type { Key } from "../terminal/keyboard.js";

export interface TextBuffer {
  readonly value: string;
  /** Index of the caret in `value`. It is always between two grapheme clusters. */
  readonly caret: number;
  /** The column to which Up and Down return after a shorter line. Any other key resets it to undefined. */
  readonly goalColumn?: number;
}

export const EMPTY_TEXT: TextBuffer = { value: "", caret: 0 };

export function textOf(value: string): TextBuffer {
  return { value, caret: value.length };
}

/**
 * Returns the buffer after a key. Returns undefined for a key that does not edit text.
 * @param isMultiline whether the text may have several lines; if not, line breaks become spaces
 */
export function edited(buffer: TextBuffer, key: Key, isMultiline: boolean): TextBuffer | undefined {
  if (key.text !== "") return inserted(buffer, isMultiline ? key.text : key.text.replace(/\s*\n\s*/g, " "));
  if (isMultiline) {
    if (key.name === "meta-enter" || key.name === "ctrl-j") return inserted(buffer, "\n");
    if (key.name === "up") return movedVertically(buffer, lineStart(buffer) - 1, 0);
    if (key.name === "down") return movedVertically(buffer, lineEnd(buffer) + 1, buffer.value.length);
  }
  const { value, caret } = buffer;
  const move = MOVES[key.name];
  if (move) return { value, caret: move(buffer) };
  const reach = DELETIONS[key.name];
  return reach && deleted({ value, caret }, reach(buffer));
}

function inserted({ value, caret }: TextBuffer, text: string): TextBuffer {
  return { value: value.slice(0, caret) + text + value.slice(caret), caret: caret + text.length };
}

function deleted({ value, caret }: TextBuffer, to: number): TextBuffer {
  const [start, end] = to < caret ? [to, caret] : [caret, to];
  return { value: value.slice(0, start) + value.slice(end), caret: start };
}

type Move = (buffer: TextBuffer) => number;

const left: Move = ({ value, caret }) => caret - (graphemesOf(value.slice(0, caret)).at(-1)?.length ?? 0);
const right: Move = ({ value, caret }) => caret + (graphemesOf(value.slice(caret))[0]?.length ?? 0);
const lineStart: Move = ({ value, caret }) => (caret === 0 ? 0 : value.lastIndexOf("\n", caret - 1) + 1);
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

const DELETIONS: Readonly<Record<string, Move>> = {
  backspace: left,
  delete: right,
  "ctrl-d": right,
  "ctrl-w": wordLeft,
  "meta-backspace": wordLeft,
  "ctrl-u": lineStart,
  "ctrl-k": lineEnd,
};

export const EDITING_KEYS = ["up", "down", ...Object.keys(MOVES), ...Object.keys(DELETIONS)];

/**
 * Moves the caret to the line that contains the index `inLine`, as close as possible to its current column.
 * @param end the caret's new index if that line does not exist
 */
function movedVertically(buffer: TextBuffer, inLine: number, end: number): TextBuffer {
  const { value, caret } = buffer;
  const goalColumn = buffer.goalColumn ?? stringWidth(value.slice(lineStart(buffer), caret));
  if (inLine < 0 || inLine > value.length) return { value, caret: end, goalColumn };
  let index = lineStart({ value, caret: inLine });
  let column = 0;
  for (const grapheme of graphemesOf(value.slice(index, lineEnd({ value, caret: inLine })))) {
    column += stringWidth(grapheme);
    if (column > goalColumn) break;
    index += grapheme.length;
  }
  return { value, caret: index, goalColumn };
}

/** A visible line of a field. Only the line with the caret has `at`, the character under the caret. */
export interface FieldLine {
  readonly before: string;
  readonly at?: string;
  readonly after: string;
}

interface Cell {
  readonly text: string;
  readonly width: number;
  readonly isCaret: boolean;
}

export function fieldLines({ value, caret }: TextBuffer, width: number, height: number): FieldLine[] {
  // Wrap only the lines that may be visible, because the text may be long.
  let index = lineStart({ value, caret });
  let end = lineEnd({ value, caret });
  for (let line = 1; line < height; line++) {
    index = lineStart({ value, caret: Math.max(0, index - 1) });
    end = lineEnd({ value, caret: Math.min(value.length, end + 1) });
  }
  const rows: Cell[][] = [];
  for (const line of value.slice(index, end).split("\n")) {
    rows.push([]);
    for (const grapheme of graphemesOf(line)) {
      addCell(rows, shownCell(grapheme, index === caret), width);
      index += grapheme.length;
    }
    if (index === caret) addCell(rows, shownCell(" ", true), width);
    index += 1;
  }
  const caretRow = rows.findIndex((row) => row.some(({ isCaret }) => isCaret));
  const first = Math.max(0, Math.min(caretRow - height + 1, rows.length - height));
  return rows.slice(first, first + height).map((row) => lineOf(withoutOverflow(row, width)));
}

/** Removes the trailing spaces that do not fit into a wrapped row. */
function withoutOverflow(row: readonly Cell[], width: number): readonly Cell[] {
  let used = 0;
  const end = row.findIndex((cell) => {
    used += cell.width;
    return used > width;
  });
  return end < 0 ? row : row.slice(0, Math.max(1, end));
}

function shownCell(grapheme: string, isCaret: boolean): Cell {
  const text = grapheme === "\t" ? "    " : safe(grapheme);
  return { text, width: stringWidth(text), isCaret };
}

/** If the cell does not fit, moves the word that contains it to a new row. */
function addCell(rows: Cell[][], cell: Cell, width: number): void {
  const row = rows.at(-1)!;
  row.push(cell);
  if (widthOf(row) <= width || (cell.text === " " && !cell.isCaret)) return;
  const space = row.findLastIndex(({ text }, i) => text === " " && i < row.length - 1);
  const word = space < 0 ? [] : row.splice(space + 1);
  if (word.length > 0) rows.push(word);
  const last = rows.at(-1)!;
  if (widthOf(last) > width && last.length > 1) rows.push(last.splice(-1));
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}

function lineOf(row: readonly Cell[]): FieldLine {
  const caret = row.findIndex(({ isCaret }) => isCaret);
  const textOfCells = (cells: readonly Cell[]) => cells.map(({ text }) => text).join("");
  if (caret < 0) return { before: textOfCells(row), after: "" };
  return {
    before: textOfCells(row.slice(0, caret)),
    at: row[caret]!.text,
    after: textOfCells(row.slice(caret + 1)),
  };
}
