/** Toasts: short messages at the bottom of the page. */
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { messageOf } from "./error-message.js";

interface Toast {
  id: number;
  text: string;
  isProblem: boolean;
}

/** A toast about a success disappears after this time, unless the human dismisses it earlier. */
const SHOWN_MS = 6_000;
const toasts = signal<readonly Toast[]>([]);
let last = 0;

export function showToast(text: string): void {
  add(text, false);
}

/** Removes all messages, because the next person at this browser must not see them. */
export function clearToasts(): void {
  toasts.value = [];
}

/**
 * Shows an error until the human dismisses it. Ignores `AbortError`, which only means that the human has left
 * a view.
 */
export function showProblem(error: unknown): void {
  if (error instanceof DOMException && error.name === "AbortError") return;
  add(messageOf(error), true);
}

/** A problem replaces one with the same text, because many actions can fail for the same reason. */
function add(text: string, isProblem: boolean): void {
  const id = ++last;
  const others = toasts.value.filter((each) => !isProblem || each.text !== text);
  toasts.value = [...others, { id, text, isProblem }];
  if (!isProblem) setTimeout(close, SHOWN_MS, id);
}

function close(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

/** @param children a bar that is shown below the toasts */
export function Toasts({ children }: { children: ComponentChildren }) {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isProblem }) => (
        <div key={id} class={isProblem ? "toast bad" : "toast"}>
          <span>{text}</span>
          <button type="button" class="link" aria-label="Dismiss" onClick={() => close(id)}>
            ×
          </button>
        </div>
      ))}
      {children}
    </div>
  );
}
