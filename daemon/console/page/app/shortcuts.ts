/** Keys for the view in front. */
import { useLayoutEffect, useRef } from "preact/hooks";

/** Maps names of `KeyboardEvent.key` to actions. `A` is Shift and a, whatever Caps Lock says. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/** Keys that go on while they are held. */
const MOVING = ["j", "k"];

/** Handles keys while the view is shown, except in fields, with modifiers, and under an open dialog. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  // Before the view is painted, so that no key is lost.
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
