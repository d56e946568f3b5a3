/** Dialogs: lines that cover a view. Their key bindings stay visible in every window size. */
import { Box, Text } from "ink";
import type { ReactNode } from "react";
import type { Line } from "../styled-text/spans.js";
import type { Size } from "../terminal/terminal.js";
import { activeBindings, type KeyBinding, keyLines } from "./key-bindings.js";
import { BORDER, moved, Pane } from "./pane.js";

export interface Dialog {
  readonly title: string;
  /** @param width line width in columns */
  lines(width: number): readonly Line[];
  readonly bindings: readonly KeyBinding[];
}

/** Maximum dialog width in columns, because longer lines are hard to read. */
const WIDEST = 84;

export function dialogWidth({ columns }: Size): number {
  return Math.min(WIDEST, columns - 2) - BORDER.columns;
}

/** Returns how many lines fit above a dialog's keys. A blank line and the window's last row stay empty. */
export function dialogRoom({ rows }: Size, keys: readonly Line[]): number {
  return Math.max(1, rows - 1 - BORDER.rows - keys.length - 1);
}

function dialogWindow({ lines, bindings }: Dialog, top: number, size: Size) {
  const width = dialogWidth(size);
  const all = lines(width);
  const active = activeBindings(bindings);
  const short = keyLines(active, width);
  const isLong = all.length > dialogRoom(size, short);
  const keys = isLong ? keyLines([...active, SCROLL_LABEL], width) : short;
  const room = dialogRoom(size, keys);
  const last = Math.max(0, all.length - room);
  const first = Math.min(top, last);
  return { lines: all.slice(first, first + room), keys, first, last, room };
}

const SCROLL_LABEL: KeyBinding = { keys: [], shown: "↑↓", label: "scroll", run() {} };

/** Returns a dialog's bindings. If its lines do not fit into the window, adds keys that scroll them. */
export function dialogBindings(
  dialog: Dialog,
  top: number,
  size: Size,
  scroll: (top: number) => void,
): readonly KeyBinding[] {
  const { first, last, room } = dialogWindow(dialog, top, size);
  if (last === 0) return dialog.bindings;
  const keys = ["up", "down", "page-up", "page-down", "home", "end"];
  return [{ keys, run: ({ name }) => scroll(moved(first, name, last + 1, room)) }, ...dialog.bindings];
}

export function DialogView({ dialog, top, size }: { dialog: Dialog; top: number; size: Size }): ReactNode {
  const { lines, keys, first, last } = dialogWindow(dialog, top, size);
  const below = last - first;
  const aside = last === 0 ? "" : below > 0 ? `↓ ${below} more` : `↑ ${first} more`;
  return <Centred size={size} title={dialog.title} aside={aside} lines={[...lines, [], ...keys]} />;
}

export function Centred({
  size,
  lines,
  ...titles
}: {
  size: Size;
  title: string;
  aside?: string;
  lines: readonly Line[];
}): ReactNode {
  const width = dialogWidth(size) + BORDER.columns;
  const height = lines.length + BORDER.rows;
  return (
    <Box
      position="absolute"
      marginLeft={Math.floor((size.columns - width) / 2)}
      marginTop={Math.max(0, Math.floor((size.rows - 1 - height) / 2))}
    >
      <Box position="absolute">
        {/* Ink does not clear the area of a box. The spaces hide the panes below it. */}
        <Text>{Array.from({ length: height }, () => " ".repeat(width)).join("\n")}</Text>
      </Box>
      <Pane {...titles} width={width} height={height} isFocused lines={lines} />
    </Box>
  );
}
