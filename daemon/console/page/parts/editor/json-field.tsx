import type { ComponentChildren } from "preact";
import { TextField } from "../field.js";
import type { Bound } from "../form.js";

/** Undefined for empty input. */
export type Parsed = { value: unknown } | { problem: string } | undefined;

export function parseJson(text: string): Parsed {
  if (text.trim() === "") return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: `This is not JSON: ${(error as Error).message}` };
  }
}

interface JsonFieldProps extends Bound<string> {
  label: string;
  hint?: ComponentChildren;
}

export function JsonField(field: JsonFieldProps) {
  const parsed = parseJson(field.value);
  const error = parsed && "problem" in parsed ? parsed.problem : undefined;
  return <TextField {...field} type="area" spellcheck={false} error={error} />;
}
