/** Keys for the view in front. */
import { useLayoutEffect, useRef } from "preact/hooks";

/** Maps names of `KeyboardEvent.key` to actions. `A` means Shift+a, regardless of Caps Lock. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/** Keys that repeat while they are held down. */
const MOVING = ["j", "k"];

/** Handles keys while the view is shown, but not in fields, with modifiers, or while a dialog is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  // A layout effect, so that keys work before the first paint and none is lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if ((event.target as Element).closest?.("input, textarea, select, [contenteditable], dialog")) return;
      if (document.querySelector("dialog[open]")) return;
      const key = event.shiftKey ? event.key.toUpperCase() : event.key.toLowerCase();
      const action = current.current[key];
      if (!action) return;
      event.preventDefault();
      if (event.repeat && !MOVING.includes(key)) return;
      action();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
