import { Field } from "../field.js";

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

export interface JsonFieldProps {
  label: string;
  hint?: preact.ComponentChildren;
  text: string;
  onInput: (text: string) => void;
  check?: (value: unknown) => string | undefined;
}

export function JsonField({ label, hint, text, onInput, check }: JsonFieldProps) {
  const parsed = parseJson(text);
  const error = parsed && ("problem" in parsed ? parsed.problem : check?.(parsed.value));
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => (
        <textarea
          {...props}
          spellcheck={false}
          value={text}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
