/** Quotes a word for a POSIX shell if needed. Safe for words from the service, which may be malicious. */
export function shellQuoted(word: string): string {
  return /^[\w./:@=+,-][\w./:@=+,~-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Returns a space's slug as an argument. Prefixes a slug that starts with a hyphen with `#`, because the slug
 * would otherwise be an option.
 */
export function spaceWord(slug: string): string {
  return shellQuoted(slug.startsWith("-") ? `#${slug}` : slug);
}
