import type { ComponentChildren, Ref } from "preact";
import { useState } from "preact/hooks";
import { showProblem, showToast } from "./toast.js";

export interface ButtonProps {
  children: ComponentChildren;
  /** `main`: the view's primary action. `danger`: an irreversible action. `link`: a button within text. */
  kind?: "plain" | "main" | "danger" | "link";
  type?: "button" | "submit";
  disabled?: boolean | undefined;
  label?: string | undefined;
  element?: Ref<HTMLButtonElement>;
  /** The button ignores clicks until the returned promise settles. A rejection is shown as a toast. */
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
      // Ignore key repeat, because a held Enter key would click the button repeatedly.
      onKeyDown={(event) => event.repeat && event.key === "Enter" && event.preventDefault()}
    >
      {children}
    </button>
  );
}

interface CopyProps extends Pick<ButtonProps, "kind"> {
  text: string | (() => string);
  what: string;
  title?: string;
}

export function Copy({ text, what, title = "Copy", ...rest }: CopyProps) {
  return (
    <Button
      {...rest}
      label={`Copy ${what}`}
      onClick={async () => {
        await navigator.clipboard.writeText(typeof text === "string" ? text : text());
        showToast(`Copied ${what}.`);
      }}
    >
      {title}
    </Button>
  );
}
