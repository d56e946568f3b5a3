/** The fields for the names of new handles and spaces. */
import { useEffect, useState } from "preact/hooks";
import { handles } from "../../app/acting.js";
import { agent } from "../../app/clients.js";
import { TextField } from "../../parts/field.js";
import type { Bound } from "../../parts/form.js";

/** Matches a slug (docs/specification/names.md#slugs). */
const SLUG = /^[a-z0-9-]{3,32}$/;
/** Delay between the last key press and the check whether the slug is free. */
const PAUSE_MS = 300;

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

export function NewHandleField(field: Bound<string>) {
  const slug = field.value;
  const [found, setFound] = useState<{ slug: string; isTaken: boolean | undefined }>();
  useEffect(() => {
    if (!isSlug(slug)) return;
    const timer = setTimeout(async () => setFound({ slug, isTaken: await isTaken(slug) }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [slug]);
  const known = found?.slug === slug ? found.isTaken : undefined;
  return (
    <SlugField
      {...field}
      label="Name of the handle"
      hint={known === false ? `@${slug} is free.` : undefined}
      error={known ? `@${slug} is taken. Choose another name.` : undefined}
    />
  );
}

/** Returns undefined if the human has no handle yet, because only handles can look up other handles. */
async function isTaken(slug: string): Promise<boolean | undefined> {
  const own = handles.value ?? [];
  if (own.length === 0 || own.some((handle) => handle.slug === slug)) return own.length > 0 || undefined;
  try {
    await agent(own[0]!.slug).sent.list({ to: `@${slug}`, limit: 1 });
    return true;
  } catch (error) {
    return (error as { status?: number }).status === 404 ? false : undefined;
  }
}
