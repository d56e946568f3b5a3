/** Returns the changed fields. A form sends these alone, because others may change the rest. */
export function changesOf<Fields extends object>(before: Fields, fields: Fields): Partial<Fields> {
  const isChanged = ([name, value]: [string, unknown]) => value !== before[name as keyof Fields];
  return Object.fromEntries(Object.entries(fields).filter(isChanged)) as Partial<Fields>;
}

/** Returns the tags that a human typed with commas between them. */
export function tagsOf(text: string): string[] {
  return text
    .split(",")
    .map((tag) => tag.trim())
    .filter(Boolean);
}
