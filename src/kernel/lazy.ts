/**
 * Returns a function that calls `load` at most once and caches the result. After a failure, the next call
 * loads again.
 */
export function lazy<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= load().catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
}
