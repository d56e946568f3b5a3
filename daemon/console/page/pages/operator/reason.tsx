import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../../parts/button.js";
import { Confirmation } from "../../parts/dialog.js";
import { TextField } from "../../parts/field.js";

/** Maximum length of a reason, in characters. */
const MOST_CHARACTERS = 500;

export function ReasonButton({
  text: action,
  kind = "danger",
  title,
  run,
  children,
}: {
  /** The button's text. */
  text: string;
  kind?: "main" | "danger";
  title: string;
  run: (reason: string) => unknown;
  /** Describes what the action will do. */
  children: ComponentChildren;
}) {
  const [isAsking, setAsking] = useState(false);
  const [text, setText] = useState("");
  const reason = text.trim();
  const length = [...reason].length;
  const isTooLong = length > MOST_CHARACTERS;
  const close = () => {
    setAsking(false);
    setText("");
  };
  return (
    <>
      <Button kind={kind} onClick={() => setAsking(true)}>
        {action}
      </Button>
      {isAsking && (
        <Confirmation
          title={title}
          action={action}
          isReady={reason !== "" && !isTooLong}
          run={() => run(reason)}
          onClose={close}
        >
          <p>{children}</p>
          <TextField
            label="Reason"
            hint="The humans who own the affected handles read it in their audit log. Do not quote the wire."
            error={isTooLong ? `${length} characters. At most 500 are possible.` : undefined}
            type="area"
            required
            value={text}
            onInput={setText}
          />
        </Confirmation>
      )}
    </>
  );
}
