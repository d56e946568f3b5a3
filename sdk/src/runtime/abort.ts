/**
 * All listeners for a signal's abort. The SDK adds only one listener to the signal itself, because callers
 * may pass one signal to many calls, and Node warns of a leak at more than ten listeners.
 */
const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `listener` when the signal aborts. Returns the function that removes it. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  const listeners = listenersOf.get(signal) ?? listenTo(signal);
  // Two calls may pass the same function, which a set would store only once.
  const entry = () => listener();
  listeners.add(entry);
  return () => listeners.delete(entry);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>();
  listenersOf.set(signal, listeners);
  const runAll = () => {
    for (const each of listeners) each();
  };
  signal.addEventListener("abort", runAll, { once: true });
  return listeners;
}
