import type { ComponentChildren, Ref } from "preact";
import { useState } from "preact/hooks";
import { showProblem } from "./toast.js";

export interface ButtonProps {
  children: ComponentChildren;
  /** `main` for the view's one action, `danger` for what cannot be undone, `link` within text. */
  kind?: "plain" | "main" | "danger" | "link";
  type?: "button" | "submit";
  disabled?: boolean | undefined;
  /** Says what the button does where its text alone does not, for example in a list. */
  label?: string | undefined;
  /** Gets the element, for example to move the focus to it. */
  element?: Ref<HTMLButtonElement>;
  /** The button is busy until the promise settles. A rejection is shown as a message. */
  onClick?: (event: MouseEvent) => unknown;
}

export function Button({
  children,
  kind = "plain",
  type = "button",
  disabled = false,
  label,
  element,
  onClick,
}: ButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const press = async (event: MouseEvent) => {
    if (!onClick || isBusy) return;
    setBusy(true);
    try {
      await onClick(event);
    } catch (error) {
      showProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <button
      {...(element && { ref: element })}
      type={type}
      class={kind}
      disabled={disabled}
      aria-busy={isBusy}
      aria-label={label}
      onClick={press}
      // Enter would click again and again while it is held.
      onKeyDown={(event) => event.repeat && event.key === "Enter" && event.preventDefault()}
    >
      {children}
    </button>
  );
}
