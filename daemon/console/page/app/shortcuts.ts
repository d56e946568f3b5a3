/** Keyboard shortcuts of the current view. */
import { useLayoutEffect, useRef } from "preact/hooks";

/** Actions, keyed by `KeyboardEvent.key`. `A` means Shift+a, regardless of Caps Lock. */
export type Shortcuts = Readonly<Record<string, () => void>>;

const MOVING = ["j", "k"];

/** Elements that need the keys themselves. `:is` ignores a selector that the browser does not know. */
const TYPED_IN = ':is(input:not([type="checkbox"], [type="radio"]), textarea, select:open, dialog)';

/**
 * Runs keyboard shortcuts while the view is shown. Ignores keys in text fields, keys with modifiers, and all
 * keys while a dialog is open.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  // Use a layout effect, so that the shortcuts work before the first paint.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if ((event.target as Element).closest?.(TYPED_IN)) return;
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
