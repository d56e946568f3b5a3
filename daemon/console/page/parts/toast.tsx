/** Toasts: short messages at the bottom of the page, some with an action such as undo. */
import { signal } from "@preact/signals";
import { messageOf } from "./error-message.js";

interface Toast {
  id: number;
  text: string;
  isProblem: boolean;
  action?: { text: string; run: () => void };
}

/** A toast without an action disappears after this time, unless the human dismisses it earlier. */
const SHOWN_MS = 6_000;
const toasts = signal<readonly Toast[]>([]);
let last = 0;

/**
 * @param action an action that the human can take; a message with an action stays until `close` is called
 * @returns a function that closes the message
 */
export function showToast(text: string, action?: Toast["action"]): () => void {
  return add({ text, isProblem: false, ...(action && { action }) });
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
  add({ text: messageOf(error), isProblem: true });
}

function add(toast: Omit<Toast, "id">): () => void {
  const id = ++last;
  const close = () => {
    toasts.value = toasts.value.filter((each) => each.id !== id);
  };
  toasts.value = [...toasts.value, { ...toast, id }];
  if (!toast.action && !toast.isProblem) setTimeout(close, SHOWN_MS);
  return close;
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isProblem, action }) => (
        <div key={id} class={isProblem ? "toast bad" : "toast"}>
          <span>{text}</span>
          {action && (
            <button type="button" class="link" onClick={action.run}>
              {action.text}
            </button>
          )}
          {!action && (
            <button
              type="button"
              class="link"
              aria-label="Dismiss"
              onClick={() => {
                toasts.value = toasts.value.filter((each) => each.id !== id);
              }}
            >
              ×
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
