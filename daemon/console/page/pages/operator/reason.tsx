import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Confirmation, type ConfirmationProps } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { texts } from "../../texts/index.js";

/** The longest reason, in characters. */
const MOST_CHARACTERS = 500;

/** Asks before an operator acts on a handle or wire of others, and requires a reason. */
export function ReasonDialog({
  run,
  children,
  ...props
}: Pick<ConfirmationProps, "title" | "action" | "onClose"> & {
  /** Names what will happen. */
  children: ComponentChildren;
  run: (reason: string) => unknown;
}) {
  const [text, setText] = useState("");
  const reason = text.trim();
  const length = [...reason].length;
  const isTooLong = length > MOST_CHARACTERS;
  return (
    <Confirmation {...props} isReady={reason !== "" && !isTooLong} run={() => run(reason)}>
      <p>{children}</p>
      <Field
        label={texts.operator.reason}
        hint={texts.operator.reasonHint}
        error={isTooLong ? texts.operator.tooLong(length) : undefined}
      >
        {(field) => (
          <textarea
            {...field}
            required
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
    </Confirmation>
  );
}
