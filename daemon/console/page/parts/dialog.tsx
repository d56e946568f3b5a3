/** Dialogs, and buttons that ask for confirmation. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, type ButtonProps } from "./button.js";
import { TextField } from "./field.js";
import { Form } from "./form.js";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/**
 * A modal dialog. Escape calls `onClose`, and so does a click beside the dialog unless its form contains
 * text. The parent then removes the dialog.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    // Close the dialog, so that the focus returns to the previous element.
    return () => element.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      // The browser sends `close` later, and keys that are pressed meanwhile would be lost.
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={({ currentTarget }) => currentTarget.isConnected && onClose()}
      onMouseDown={(event) => {
        const { target, currentTarget, clientX: x, clientY: y } = event;
        const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
        const fields = currentTarget.querySelectorAll<HTMLInputElement>("form :is(input, textarea)");
        if (target !== currentTarget || [...fields].some(({ value }) => value !== "")) return;
        if (x >= left && x <= right && y >= top && y <= bottom) return;
        // By default, the press would move the focus to the page.
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

const MOST_CHARACTERS = 500;

interface ConfirmationProps {
  title: string;
  /** Describes what the action will do. */
  children?: ComponentChildren;
  /** The button's text, which names the action. */
  action: string;
  /** Text that the human must type before an irreversible action, in upper or lower case. */
  typed?: string;
  /** The field of a text that belongs to the action, with its name in the API. */
  note?: { name: string; label: string; hint: string };
  run: (note: string) => unknown;
  onClose: () => void;
}

export function Confirmation({ title, children, action, typed, note, run, onClose }: ConfirmationProps) {
  const [text, setText] = useState("");
  const [words, setWords] = useState("");
  const isTyped = typed === undefined || text.trim().toLowerCase() === typed.toLowerCase();
  const isNoted = !note || (words.trim() !== "" && [...words].length <= MOST_CHARACTERS);
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        class=""
        action={action}
        kind="danger"
        isReady={isTyped && isNoted}
        run={async () => {
          await run(words.trim());
          onClose();
        }}
        beside={<Button onClick={onClose}>Cancel</Button>}
      >
        {children}
        {note && (
          <TextField
            {...note}
            type="area"
            most={MOST_CHARACTERS}
            required
            value={words}
            onChange={setWords}
          />
        )}
        {typed !== undefined && (
          <TextField type="name" label={`Type ${typed} to confirm`} value={text} onChange={setText} />
        )}
      </Form>
    </Dialog>
  );
}

interface AskingButtonProps extends Omit<ConfirmationProps, "action" | "onClose">, Pick<ButtonProps, "kind"> {
  text: string;
  label?: string;
}

export function AskingButton({ text, label, kind = "danger", ...confirmation }: AskingButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind={kind} label={label} onClick={() => setAsking(true)}>
        {text}
      </Button>
      {isAsking && <Confirmation action={text} {...confirmation} onClose={() => setAsking(false)} />}
    </>
  );
}
