/** Computes which lines of a dialog are visible, and the bindings that scroll it. */

import type { Line } from "../styled-text/spans.js";
import type { Size } from "../terminal/size.js";
import { activeBindings, type KeyBinding } from "./key-bindings.js";
import { keyLines } from "./key-lines.js";
import { BORDER } from "./layout.js";
import { moved } from "./list-window.js";

/** A dialog: lines that cover the view, with their own key bindings. */
export interface Dialog {
  readonly title: string;
  /** @param width line width in columns */
  lines(width: number): readonly Line[];
  readonly bindings: readonly KeyBinding[];
}

/** Maximum dialog width in columns, because longer lines are hard to read. */
const WIDEST = 84;

export interface DialogWindow {
  /** `lines`: the dialog's visible lines. `keys`: the lines that name its keys. */
  readonly lines: readonly Line[];
  readonly keys: readonly Line[];
  /** Index of the first visible line, and the maximum of this index. */
  readonly first: number;
  readonly last: number;
  /** Maximum number of visible lines. */
  readonly room: number;
}

/** Returns the width of a dialog's text in columns. */
export function dialogWidth({ columns }: Size): number {
  return Math.min(WIDEST, columns - 2) - BORDER.columns;
}

export function dialogWindow(dialog: Dialog, top: number, size: Size): DialogWindow {
  const width = dialogWidth(size);
  const all = dialog.lines(width);
  const bindings = activeBindings(dialog.bindings);
  // Subtract the window's last row, which views leave empty, and the blank line before the keys.
  const roomBeside = (keys: readonly Line[]) => Math.max(1, size.rows - 1 - BORDER.rows - keys.length - 1);
  let keys = keyLines(bindings, width);
  if (all.length > roomBeside(keys)) keys = keyLines([...bindings, SCROLL_LABEL], width);
  const room = roomBeside(keys);
  const last = Math.max(0, all.length - room);
  const first = Math.min(top, last);
  return { lines: all.slice(first, first + room), keys, first, last, room };
}

const SCROLL_LABEL: KeyBinding = { keys: [], shown: "↑↓", label: "scroll", run() {} };

/** Returns the bindings that scroll a dialog. Returns none if all of its lines are visible. */
export function scrollBindings(
  { first, last, room }: DialogWindow,
  scroll: (top: number) => void,
): KeyBinding[] {
  if (last === 0) return [];
  return [
    {
      keys: ["up", "down", "page-up", "page-down", "home", "end"],
      run: ({ name }) => scroll(moved(first, name, last + 1, room) ?? first),
    },
  ];
}
