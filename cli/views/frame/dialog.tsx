/** Renders dialogs and forms over a view. Their keys stay visible in every window size. */
import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { Lines } from "../styled-text/line.js";
import { type Line, paragraphs, span } from "../styled-text/spans.js";
import { THEME } from "../styled-text/theme.js";
import type { Size } from "../terminal/size.js";
import { type Dialog, dialogWidth, dialogWindow } from "./dialog-window.js";
import type { Field, Form } from "./form.js";
import { activeBindings, type KeyBinding } from "./key-bindings.js";
import { keyLines } from "./key-lines.js";
import { BORDER } from "./layout.js";
import { Frame } from "./pane.js";
import { fieldLines } from "./text-buffer.js";

/** Minimum and maximum height of a multi-line field in rows. */
const FIELD_ROWS = { least: 3, most: 6 };

export function DialogView({ dialog, top, size }: { dialog: Dialog; top: number; size: Size }): ReactNode {
  const { lines, keys, first, last } = dialogWindow(dialog, top, size);
  const below = last - first;
  const aside = last === 0 ? "" : below > 0 ? `↓ ${below} more` : `↑ ${first} more`;
  return <Centred size={size} title={dialog.title} aside={aside} lines={[...lines, [], ...keys]} />;
}

/** Renders lines in a centred frame that covers the panes. */
function Centred(props: { size: Size; title: string; aside?: string; lines: readonly Line[] }): ReactNode {
  const { size, title, aside = "", lines } = props;
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
      <Frame title={title} aside={aside} width={width} height={height} isFocused>
        <Lines lines={lines} />
      </Frame>
    </Box>
  );
}

/** Renders a form: its fields, the errors of the last submission, and its keys. */
export function FormView({
  form,
  bindings,
  size,
}: {
  form: Form;
  bindings: readonly KeyBinding[];
  size: Size;
}): ReactNode {
  const width = dialogWidth(size);
  const keys = form.isSending
    ? [[span("sending …", THEME.faint)]]
    : keyLines(activeBindings(bindings), width);
  const room = size.rows - 1 - BORDER.rows - keys.length - 1;
  const [first = [], ...others] = paragraphs(form.errors ?? [], width);
  const reasons = first.length === 0 ? [] : [first.map(({ text }) => span(text, THEME.bad)), ...others, []];
  const errors = reasons.slice(0, Math.max(0, Math.min(reasons.length, room - FIELD_ROWS.least)));
  const fields = shownFields(form, width, room - errors.length);
  return <Centred size={size} title={form.title} lines={[...fields, ...errors, ...keys]} />;
}

/** Returns the fields' lines: all if they fit into `room` lines, otherwise those around the focused field. */
function shownFields(form: Form, width: number, room: number): Line[] {
  const least = form.fields.reduce((sum, each) => sum + (each.isMultiline ? FIELD_ROWS.least : 1) + 2, 0);
  const multiline = Math.max(1, form.fields.filter((each) => each.isMultiline).length);
  const spare = Math.max(0, Math.floor((room - least) / multiline));
  const height = Math.max(1, Math.min(FIELD_ROWS.most, FIELD_ROWS.least + spare, room - 1));
  const blocks = form.fields.map((each, i) =>
    linesOfField(each, i === form.focus, width, each.isMultiline ? height : 1),
  );
  const before = blocks.slice(0, form.focus).flat().length;
  const end = before + blocks[form.focus]!.length;
  const lines = blocks.flat();
  const start = Math.max(0, Math.min(before, Math.max(end - room, 0), lines.length - room));
  return lines.slice(end - start > room ? before : start).slice(0, Math.max(1, room));
}

function linesOfField(field: Field, isFocused: boolean, width: number, height: number): Line[] {
  const { label, text, hint, isMultiline } = field;
  const title: Line = [
    span(isFocused ? "▸ " : "  ", THEME.accent),
    span(label, isFocused ? { ...THEME.accent, bold: true } : THEME.faint),
  ];
  const lines = fieldLines(text, width - 2, height).map(({ before, at, after }): Line => {
    if (!isFocused || at === undefined) return [span("  "), span(before + (at ?? "") + after)];
    return [span("  "), span(before), span(at, { inverse: true }), span(after)];
  });
  if (text.value === "" && hint) lines[0] = [...lines[0]!.slice(0, 3), span(hint, THEME.faint)];
  while (isMultiline && lines.length < Math.min(FIELD_ROWS.least, height)) lines.push([]);
  return [title, ...lines, []];
}
