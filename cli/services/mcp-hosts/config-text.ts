/** Edits of configuration texts. An edit changes one entry, and keeps everything else, comments included. */

/** The place of an entry: the property with all servers, and the name of the server. */
export type EntryPath = readonly [section: string, name: string];

export interface ConfigFormat {
  /**
   * Returns the entry, or undefined if there is none. Throws `UnusableConfig` if the text cannot be edited.
   */
  read(text: string, path: EntryPath): unknown;
  /** Returns the text with this entry in place of any earlier one. Throws `UnusableConfig`. */
  set(text: string, path: EntryPath, entry: Record<string, unknown>): string;
  /** Returns the text without the entry, which must exist. Throws `UnusableConfig`. */
  remove(text: string, path: EntryPath): string;
}

/** The text of a configuration is broken, or has a form that cannot be edited safely. */
export class UnusableConfig extends Error {
  override readonly name = "UnusableConfig";
}

/** Returns the line break that the text uses. */
export function lineBreakOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
