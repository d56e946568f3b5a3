/** Forms: text fields that the user fills in and submits together. */
import type { ReactNode } from "react";
import { type Line, paragraphs, span, THEME } from "../styled-text/spans.js";
import type { Key } from "../terminal/keyboard.js";
import type { Size } from "../terminal/terminal.js";
import { Centred, dialogRoom, dialogWidth } from "./dialog.js";
import { activeBindings, type KeyBinding, keyLines } from "./key-bindings.js";
import { EDITING_KEYS, EMPTY_TEXT, edited, fieldLines, type TextBuffer } from "./text-buffer.js";

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly text: TextBuffer;
  readonly isMultiline?: boolean;
  /** Example text, shown while the field is empty. */
  readonly hint?: string;
}

export interface Form {
  readonly title: string;
  readonly fields: readonly Field[];
  /** Label of the Enter key: the action's verb, such as `create`. Default: `send`. */
  readonly verb?: string;
  /** Index of the focused field. Default: the first field. */
  readonly focus?: number;
  /** Error lines of the last submission. */
  readonly errors?: readonly string[];
  readonly isSending?: boolean;
}

export function field(name: string, label: string, options: Partial<Field> = {}): Field {
  return { name, label, text: EMPTY_TEXT, ...options };
}

export function valuesOf({ fields }: Form): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, text }) => [name, text.value]));
}

export interface FormEvents {
  change(form: Form): void;
  submit(): void;
  cancel(): void;
}

export function formBindings(form: Form, { change, submit, cancel }: FormEvents): KeyBinding[] {
  if (form.isSending) return [];
  const edit = (key: Key) => change(withKey(form, key));
  const lineKeys = form.fields.some((each) => each.isMultiline) ? ["meta-enter", "ctrl-j"] : [];
  const tabs = form.fields.length > 1;
  return [
    { keys: ["enter", "ctrl-s"], label: form.verb ?? "send", run: submit },
    { keys: lineKeys, shown: "Alt-Enter, Ctrl-J", ...(lineKeys.length && { label: "new line" }), run: edit },
    { keys: ["tab"], ...(tabs && { label: "next field" }), run: () => change(withFocus(form, 1)) },
    { keys: ["shift-tab"], run: () => change(withFocus(form, -1)) },
    { keys: ["escape"], label: "close", run: cancel },
    { keys: ["text", ...EDITING_KEYS], run: edit },
  ];
}

function withFocus(form: Form, steps: number): Form {
  const count = form.fields.length;
  return { ...form, focus: ((form.focus ?? 0) + steps + count) % count };
}

/** In a single-line field, Up and Down move the focus. */
function withKey(form: Form, key: Key): Form {
  const current = form.fields[form.focus ?? 0]!;
  const text = edited(current.text, key, current.isMultiline === true);
  if (text)
    return { ...form, fields: form.fields.map((each) => (each === current ? { ...each, text } : each)) };
  if (key.name === "up") return withFocus(form, -1);
  return key.name === "down" ? withFocus(form, 1) : form;
}

/** Minimum and maximum height of a multi-line field in rows. */
const FIELD_ROWS = { least: 3, most: 6 };

export interface FormViewProps {
  form: Form;
  bindings: readonly KeyBinding[];
  size: Size;
}

export function FormView({ form, bindings, size }: FormViewProps): ReactNode {
  const width = dialogWidth(size);
  const keys = form.isSending
    ? [[span("sending …", THEME.faint)]]
    : keyLines(activeBindings(bindings), width);
  const room = dialogRoom(size, keys);
  const [first = [], ...others] = paragraphs(form.errors ?? [], width);
  const reasons = first.length === 0 ? [] : [first.map(({ text }) => span(text, THEME.bad)), ...others, []];
  const errors = reasons.slice(0, Math.max(0, Math.min(reasons.length, room - FIELD_ROWS.least)));
  const fields = shownFields(form, width, room - errors.length);
  return <Centred size={size} title={form.title} lines={[...fields, ...errors, ...keys]} />;
}

/** Shows all fields if they fit into `room` lines, and otherwise those around the focused field. */
function shownFields({ fields, focus = 0 }: Form, width: number, room: number): Line[] {
  const least = fields.reduce((sum, each) => sum + (each.isMultiline ? FIELD_ROWS.least : 1) + 2, 0);
  const multiline = Math.max(1, fields.filter((each) => each.isMultiline).length);
  const spare = Math.max(0, Math.floor((room - least) / multiline));
  const height = Math.max(1, Math.min(FIELD_ROWS.most, FIELD_ROWS.least + spare, room - 1));
  const blocks = fields.map((each, i) =>
    linesOfField(each, i === focus, width, each.isMultiline ? height : 1),
  );
  const before = blocks.slice(0, focus).flat().length;
  const end = before + blocks[focus]!.length;
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
