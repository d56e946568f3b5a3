/** Calls a function at intervals while the tab is visible, and at once when the human comes back to it. */
export function whileVisible(run: () => void, everyMs: number): () => void {
  const runIfVisible = () => {
    if (document.visibilityState === "visible") run();
  };
  const timer = setInterval(runIfVisible, everyMs);
  document.addEventListener("visibilitychange", runIfVisible);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", runIfVisible);
  };
}
