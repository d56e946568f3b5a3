/**
 * The functions to call when each signal aborts. The SDK adds only one listener to a signal, because Node
 * warns of a leak if more than ten calls each add a listener to the same signal.
 */
const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/** Returns a function that removes the listener. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  const listeners = listenersOf.get(signal) ?? listenTo(signal);
  // Wrap the listener, because a set stores a function only once, and two calls may pass the same function.
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
