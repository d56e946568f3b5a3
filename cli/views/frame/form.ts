/** Forms: text fields that are filled in and sent together. */
import type { Key } from "../terminal/keypress.js";
import { EMPTY_TEXT, edited, type TextBuffer } from "./text-buffer.js";

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly text: TextBuffer;
  readonly isMultiline?: boolean;
  /** Example text that is shown while the field is empty. */
  readonly hint?: string;
}

export interface Form {
  readonly title: string;
  readonly fields: readonly Field[];
  /** Label of the key Enter: the verb of the action, such as `create`. Default: `send`. */
  readonly verb?: string;
  /** Index of the field that has the focus. */
  readonly focus: number;
  /** Error lines of the last attempt to send the form. */
  readonly errors?: readonly string[];
  readonly isSending?: boolean;
}

/** Returns a field without text. */
export function field(name: string, label: string, options: Partial<Field> = {}): Field {
  return { name, label, text: EMPTY_TEXT, ...options };
}

/** Returns the text of a field, or an empty string if the form has no field of that name. */
export function fieldValue(form: Form, name: string): string {
  return form.fields.find((each) => each.name === name)?.text.value ?? "";
}

export function isMultiline(form: Form): boolean {
  return form.fields.some((each) => each.isMultiline);
}

/** Moves the focus by `steps` fields, and wraps around at the last field. Returns the new form. */
export function withFocus(form: Form, steps: number): Form {
  const count = form.fields.length;
  return { ...form, focus: (form.focus + steps + count) % count };
}

/**
 * Applies a key to the focused field, and returns the new form. In a single-line field, Up and Down move the
 * focus.
 */
export function withKey(form: Form, key: Key): Form {
  const current = form.fields[form.focus]!;
  const text = edited(current.text, key, current.isMultiline === true);
  if (!text)
    return key.name === "up" || key.name === "down" ? withFocus(form, key.name === "up" ? -1 : 1) : form;
  return { ...form, fields: form.fields.map((each) => (each === current ? { ...each, text } : each)) };
}
