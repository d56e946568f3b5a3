import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.js";
import { Problem } from "./problem.js";

/** A form with one action. If the action fails, the form shows the error and keeps the input. */
export function Form({
  action,
  isReady = true,
  run,
  children,
}: {
  /** The button's text. */
  action: string;
  isReady?: boolean;
  run: () => unknown;
  /** The form's fields. */
  children: ComponentChildren;
}) {
  const [error, setError] = useState<unknown>();
  const submit = async (event: MouseEvent) => {
    // Check the fields first. Otherwise an invalid number would be sent as an empty value, which the service
    // would accept.
    if ((event.currentTarget as HTMLButtonElement).form?.reportValidity() === false) return;
    setError(undefined);
    try {
      await run();
    } catch (reason) {
      setError(reason);
    }
  };
  return (
    <form class="sheet" onSubmit={(event) => event.preventDefault()}>
      {children}
      {error !== undefined && <Problem error={error} />}
      <div class="actions">
        <Button kind="main" type="submit" disabled={!isReady} onClick={submit}>
          {action}
        </Button>
      </div>
    </form>
  );
}
