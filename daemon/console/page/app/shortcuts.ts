/** Keyboard shortcuts of the current view. */
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Actions, keyed by `KeyboardEvent.key`. `A` means Shift+a, regardless of Caps Lock, and `mod+k` means
 * Ctrl+k, or ⌘k on a Mac.
 */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const MOVING = ["j", "k", " ", "pagedown", "pageup"];
/** The modifier key, as in `aria-keyshortcuts`. On a Mac, Ctrl+k edits text. */
export const MODIFIER = /Mac|iP/.test(navigator.platform) ? "Meta" : "Control";

/** Elements that the space bar operates. */
const PRESSED = "button, input, select, summary, textarea";
/** Elements that need the keys themselves. `:is` ignores a selector that the browser does not know. */
const TYPED_IN = ':is(input:not([type="checkbox"], [type="radio"]), textarea, select:open, dialog)';

/**
 * Runs keyboard shortcuts while the view is shown. Ignores plain keys in text fields, and all keys while a
 * dialog is open.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  // Use a layout effect, so that the shortcuts work before the first paint.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isModified = event.ctrlKey || event.metaKey || event.altKey;
      if (event.defaultPrevented || (isModified && !event.getModifierState(MODIFIER))) return;
      if (!isModified && (event.target as Element).closest?.(event.key === " " ? PRESSED : TYPED_IN)) return;
      if (document.querySelector("dialog[open]")) return;
      const plain = event.shiftKey ? event.key.toUpperCase() : event.key.toLowerCase();
      const key = isModified ? `mod+${plain}` : plain;
      const action = current.current[key];
      if (!action) return;
      event.preventDefault();
      if (event.repeat && !MOVING.includes(key)) return;
      action(event);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
