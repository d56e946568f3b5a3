/** Keys for the view in front. */
import { useLayoutEffect, useRef } from "preact/hooks";

/** What each key does. Names are those of `KeyboardEvent.key`; `A` is Shift and a. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/** Handles keys while the view is shown. Keys typed into a field, pressed with a modifier, or while a dialog is open are left alone. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  // Before the view is painted, so that no key is lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if ((event.target as Element).closest?.("input, textarea, select, [contenteditable], dialog")) return;
      if (document.querySelector("dialog[open]")) return;
      const action = current.current[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
