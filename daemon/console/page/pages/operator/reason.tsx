import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../../parts/button.js";
import { Confirmation } from "../../parts/dialog.js";
import { TextField } from "../../parts/field.js";
import { useForm } from "../../parts/form.js";

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
  const { values, field, clear } = useForm({ reason: "" });
  const close = () => {
    setAsking(false);
    clear();
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
          isReady={values.reason.trim() !== "" && [...values.reason].length <= MOST_CHARACTERS}
          run={() => run(values.reason.trim())}
          onClose={close}
        >
          <p>{children}</p>
          <TextField
            label="Reason"
            hint="The humans who own the affected handles read it in their audit log. Do not quote the wire."
            type="area"
            most={MOST_CHARACTERS}
            required
            {...field("reason")}
          />
        </Confirmation>
      )}
    </>
  );
}
