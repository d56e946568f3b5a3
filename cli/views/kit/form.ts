/** A few fields that are filled in and sent together. */
import type { Key } from "./keys.js";
import { EMPTY_TEXT, edited, type TextBuffer } from "./text-buffer.js";

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly text: TextBuffer;
  readonly multiline?: boolean;
  /** Shown while it is empty. */
  readonly hint?: string;
}

export interface Form {
  readonly title: string;
  readonly fields: readonly Field[];
  /** Index of the field that takes the keys. */
  readonly focus: number;
  /** What was wrong with the last try: lines for the reader. */
  readonly complaint?: readonly string[];
  /** Whether it is on its way. */
  readonly busy?: boolean;
}

/** A field without text. */
export function field(name: string, label: string, more: Partial<Field> = {}): Field {
  return { name, label, text: EMPTY_TEXT, ...more };
}

/** What a key does: the changed form, or a word for its owner. */
export function pressed(form: Form, key: Key): Form | "submit" | "cancel" {
  if (key.name === "escape") return "cancel";
  if (key.name === "enter" || key.name === "ctrl-s") return "submit";
  if (key.name === "tab") return focused(form, form.focus + 1);
  if (key.name === "shift-tab") return focused(form, form.focus - 1);
  const current = form.fields[form.focus]!;
  const text = edited(current.text, key, current.multiline === true);
  if (text) return withText(form, current.name, text);
  if (key.name === "up") return focused(form, form.focus - 1);
  return key.name === "down" ? focused(form, form.focus + 1) : form;
}

/** The value of a field as it was written. */
export function fieldValue(form: Form, name: string): string {
  return form.fields.find((each) => each.name === name)?.text.value ?? "";
}

function focused(form: Form, index: number): Form {
  const count = form.fields.length;
  return { ...form, focus: (index + count) % count };
}

function withText(form: Form, name: string, text: TextBuffer): Form {
  const fields = form.fields.map((each) => (each.name === name ? { ...each, text } : each));
  return { ...form, fields };
}
