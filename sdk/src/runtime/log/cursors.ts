/**
 * Stores reading positions for `spaces.listen` and `threads.listen`, because the service stores only the
 * position in an inbox. Use a separate store for each handle, because a cursor is valid only for the handle
 * that received it. After the service's database was restored from a backup, the loop continues with all
 * wires that are newer than the backup.
 *
 * @example
 * ```ts
 * const cursors: CursorStore = {
 *   get: async (key) => (await redis.get(`cursor:${key}`)) ?? undefined,
 *   set: async (key, cursor) => void (await redis.set(`cursor:${key}`, cursor)),
 * };
 * for await (const wire of wr.spaces.listen("ops", { cursors })) console.log(wire.text_body);
 * ```
 */
export interface CursorStore {
  /**
   * Returns the last stored cursor, or undefined.
   * @param key such as `space:ops`
   */
  get(key: string): string | undefined | Promise<string | undefined>;
  /** Stores a cursor. */
  set(key: string, cursor: string): unknown;
}

/** The cursors are lost when the process ends. */
export function memoryCursors(): CursorStore {
  const cursors = new Map<string, string>();
  return { get: (key) => cursors.get(key), set: (key, cursor) => void cursors.set(key, cursor) };
}
