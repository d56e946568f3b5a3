/** Dialogs, and buttons that ask for confirmation. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "./button.js";
import { Problem } from "./problem.js";

/** A modal dialog. Escape and the close button call `onClose`, and the parent then removes the dialog. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    // Close the dialog, so that the focus returns to the previous element.
    return () => element.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

export interface ConfirmationProps {
  title: string;
  /** Describes what the action will do. */
  children: ComponentChildren;
  /** The button's text, which names the action. */
  action: string;
  /** Text that the human must type before an irreversible action, in upper or lower case. */
  typed?: string;
  isReady?: boolean;
  run: () => unknown;
  onClose: () => void;
}

export function Confirmation({
  title,
  children,
  action,
  typed,
  isReady = true,
  run,
  onClose,
}: ConfirmationProps) {
  const [text, setText] = useState("");
  const [error, setError] = useState<unknown>();
  const id = useId();
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {typed !== undefined && (
        <p class="field">
          <label for={id}>Type {typed} to confirm</label>
          <input
            id={id}
            value={text}
            autoComplete="off"
            spellcheck={false}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </p>
      )}
      {error !== undefined && <Problem error={error} />}
      <div class="actions">
        <Button
          kind="danger"
          disabled={!isReady || (typed !== undefined && text.trim().toLowerCase() !== typed.toLowerCase())}
          onClick={async () => {
            setError(undefined);
            try {
              await run();
            } catch (reason) {
              // Show the error in the dialog, because the dialog would cover a toast.
              setError(reason);
              return;
            }
            onClose();
          }}
        >
          {action}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}

interface AskingButtonProps extends Omit<ConfirmationProps, "action" | "isReady" | "onClose"> {
  text: string;
  label?: string;
  kind?: "plain" | "danger";
  type?: "button" | "submit";
  disabled?: boolean;
}

export function AskingButton({
  text,
  label,
  kind = "danger",
  type = "button",
  disabled = false,
  ...confirmation
}: AskingButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind={kind} type={type} label={label} disabled={disabled} onClick={() => setAsking(true)}>
        {text}
      </Button>
      {isAsking && <Confirmation action={text} {...confirmation} onClose={() => setAsking(false)} />}
    </>
  );
}
