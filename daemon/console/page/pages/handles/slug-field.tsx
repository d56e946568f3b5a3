/** The field for the name of a new handle or space. */
import { TextField } from "../../parts/field.js";
import type { Bound } from "../../parts/form.js";

/** Matches a slug (docs/specification/names.md#slugs). */
const SLUG = /^[a-z0-9-]{3,32}$/;
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

interface SlugFieldProps extends Bound<string> {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
}

/** Corrects capitals, spaces and underscores while the human types. */
export function SlugField({ hint, error, value, onChange, ...rest }: SlugFieldProps) {
  const isWrong = value !== "" && !isSlug(value);
  return (
    <TextField
      {...rest}
      type="name"
      hint={hint ?? "3 to 32 characters: a to z, 0 to 9 and hyphens."}
      error={isWrong ? "Use 3 to 32 characters: a to z, 0 to 9 and hyphens." : error}
      value={value}
      onChange={(text) => onChange(text.toLowerCase().replace(/[\s_]/g, "-"))}
    />
  );
}
