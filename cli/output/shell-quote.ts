/**
 * Quotes a word for a POSIX shell, unless all its characters are safe without quotes. Values of the service
 * are quoted too, so that a command in a hint can be copied even from a malicious service.
 */
export function shellQuoted(word: string): string {
  return /^[\w./:@=+,-][\w./:@=+,~-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Returns a space as an argument of a command. A slug with a hyphen at the start would be an option, so it
 * gets its `#`.
 */
export function spaceWord(slug: string): string {
  return shellQuoted(slug.startsWith("-") ? `#${slug}` : slug);
}
