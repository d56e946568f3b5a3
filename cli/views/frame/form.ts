/** Forms: text fields that the user fills in and submits together. */
import type { Key } from "../terminal/keypress.js";
import { EMPTY_TEXT, edited, type TextBuffer } from "./text-buffer.js";

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
  /** Index of the focused field. */
  readonly focus: number;
  /** Error lines of the last submission. */
  readonly errors?: readonly string[];
  readonly isSending?: boolean;
}

/** Returns a field without text. */
export function field(name: string, label: string, options: Partial<Field> = {}): Field {
  return { name, label, text: EMPTY_TEXT, ...options };
}

/** Returns a field's text. Returns an empty string if the form has no field with this name. */
export function fieldValue(form: Form, name: string): string {
  return form.fields.find((each) => each.name === name)?.text.value ?? "";
}

export function isMultiline(form: Form): boolean {
  return form.fields.some((each) => each.isMultiline);
}

/** Moves the focus by `steps` fields, and wraps around at both ends. Returns the new form. */
export function withFocus(form: Form, steps: number): Form {
  const count = form.fields.length;
  return { ...form, focus: (form.focus + steps + count) % count };
}

/** Returns the form after a key in the focused field. In a single-line field, Up and Down move the focus. */
export function withKey(form: Form, key: Key): Form {
  const current = form.fields[form.focus]!;
  const text = edited(current.text, key, current.isMultiline === true);
  if (!text)
    return key.name === "up" || key.name === "down" ? withFocus(form, key.name === "up" ? -1 : 1) : form;
  return { ...form, fields: form.fields.map((each) => (each === current ? { ...each, text } : each)) };
}
