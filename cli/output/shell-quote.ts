/** Quotes a word for a POSIX shell if needed, also one of the service, which may be malicious. */
export function shellQuoted(word: string): string {
  return /^[\w./:@=+,-][\w./:@=+,~-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns a space as an argument. A slug with a hyphen at the start would be an option, so it gets `#`. */
export function spaceWord(slug: string): string {
  return shellQuoted(slug.startsWith("-") ? `#${slug}` : slug);
}
