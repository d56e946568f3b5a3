/**
 * Listeners for aborts. Node warns of a leak if a signal has more than ten listeners, and a caller may pass
 * one signal to many calls at a time, so the SDK adds one listener to a signal.
 */
const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `listener` when the signal aborts. Returns the function that removes it. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  const listeners = listenersOf.get(signal) ?? listenTo(signal);
  // Two calls may pass the same function.
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
