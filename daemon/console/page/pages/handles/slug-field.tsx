import { useEffect, useState } from "preact/hooks";
import { agent, dashboard } from "../../app/clients.js";
import { NameField } from "../../parts/field.js";

/** Matches a slug (docs/specification/names.md#slugs). */
const SLUG = /^[a-z0-9-]{3,32}$/;
/** Delay between the last key press and the check whether the slug is free. */
const PAUSE_MS = 300;

export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

export function SlugField({ slug, onInput }: { slug: string; onInput: (slug: string) => void }) {
  const [taken, setTaken] = useState<{ slug: string; isTaken: boolean | undefined }>();
  useEffect(() => {
    if (!isSlug(slug)) return;
    const timer = setTimeout(async () => setTaken({ slug, isTaken: await isTaken(slug) }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [slug]);
  const known = taken?.slug === slug ? taken.isTaken : undefined;
  const error =
    slug !== "" && !isSlug(slug)
      ? "Use 3 to 32 characters: a to z, 0 to 9 and hyphens."
      : known
        ? `@${slug} is taken. Choose another name.`
        : undefined;
  return (
    <NameField
      label="Name of the handle"
      hint={known === false ? `@${slug} is free.` : "3 to 32 characters: a to z, 0 to 9 and hyphens."}
      error={error}
      value={slug}
      maxLength={32}
      onInput={onInput}
    />
  );
}

/** Returns undefined if the human has no handle yet, because only handles can look up other handles. */
async function isTaken(slug: string): Promise<boolean | undefined> {
  try {
    const { handles } = await dashboard.handles.list();
    if (handles.some((handle) => handle.slug === slug)) return true;
    const [own] = handles;
    if (!own) return undefined;
    await agent(own.slug).sent.list({ to: `@${slug}`, limit: 1 });
    return true;
  } catch (error) {
    return (error as { status?: number }).status === 404 ? false : undefined;
  }
}
