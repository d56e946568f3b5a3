/** The only place of the CLI that reads time. */

/** Milliseconds since 1970. */
export function now(): number {
  return Date.now();
}

/** Resolves after `milliseconds`, or at once when `signal` aborts: it never rejects. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener("abort", done, { once: true });
  });
}
