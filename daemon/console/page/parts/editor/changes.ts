/**
 * Returns the fields that differ from those before. A form sends these alone, because others may change the
 * rest meanwhile.
 */
export function changesOf<Fields extends object>(before: Fields, fields: Fields): Partial<Fields> {
  const isChanged = ([name, value]: [string, unknown]) => value !== before[name as keyof Fields];
  return Object.fromEntries(Object.entries(fields).filter(isChanged)) as Partial<Fields>;
}
