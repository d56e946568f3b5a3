/** Handle and space slugs (specification, sections 2.5 and 2.6). */
export const SLUG_PATTERN = "^[a-z0-9-]{3,32}$";

/** The slug of a handle as given in input, where the `@` is optional (specification, section 1). */
export function handleSlug(input: string): string {
  return input.startsWith("@") ? input.slice(1) : input;
}
