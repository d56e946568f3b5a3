/** Runs a task, and returns the warnings that Node prints meanwhile. */
export async function warningsDuring(task: () => Promise<unknown>): Promise<string[]> {
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on("warning", note);
  try {
    await task();
    // Wait, because Node emits a warning in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off("warning", note);
  }
  return warnings;
}
