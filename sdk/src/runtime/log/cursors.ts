/**
 * Stores the positions of `spaces.listen` and `threads.listen`. The service keeps only the position of an
 * inbox. A store belongs to one handle: a cursor of another handle is invalid.
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
  /** Returns the cursor that was stored last, or undefined. @param key such as `space:ops` */
  get(key: string): string | undefined | Promise<string | undefined>;
  /** Stores a cursor. */
  set(key: string, cursor: string): unknown;
}

/** Returns a store that forgets its cursors at the end of the process. */
export function memoryCursors(): CursorStore {
  const cursors = new Map<string, string>();
  return { get: (key) => cursors.get(key), set: (key, cursor) => void cursors.set(key, cursor) };
}
