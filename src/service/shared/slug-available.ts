import { invalid } from "../../contract/errors.js";

/** The owner of a slug: nobody, another account, the caller's account, or a retired handle of the caller's account. */
export type SlugHolder = "nobody" | "another" | "caller" | "retired";

/**
 * Throws VALIDATION_ERROR if a new handle or space cannot have this slug. The slug may be reserved for the service, or it may
 * already exist (docs/specification/names.md#slugs).
 */
export function assertSlugAvailable(slug: string, kind: "handle" | "space", holder: SlugHolder): void {
  const message = slug.includes("wireroom")
    ? 'a slug that contains "wireroom" is reserved; choose another slug'
    : conflict(kind, kind === "handle" ? `@${slug}` : `#${slug}`, holder);
  if (message) throw invalid({ instancePath: "/slug", keyword: "slug", message });
}

function conflict(kind: string, name: string, holder: SlugHolder): string | undefined {
  switch (holder) {
    case "nobody":
      return undefined;
    case "another":
      return `the ${kind} ${name} is taken; choose another slug`;
    case "caller":
      return `the ${kind} ${name} already exists and is yours; use it, or choose another slug`;
    case "retired":
      return `the ${kind} ${name} is retired, and a retired slug cannot be used again; choose another slug`;
  }
}
