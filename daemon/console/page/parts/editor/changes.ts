/**
 * Returns the changed fields. A form sends only these fields, because someone else may have changed the
 * others.
 */
export function changesOf<Fields extends object>(before: Fields, fields: Fields): Partial<Fields> {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof Fields]);
  return Object.fromEntries(Object.entries(fields).filter(isChanged)) as Partial<Fields>;
}

/** Parses a comma-separated list of tags. */
export function tagsOf(text: string): string[] {
  return text
    .split(",")
    .map((tag) => tag.trim())
    .filter(Boolean);
}
