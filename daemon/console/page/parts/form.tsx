import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.js";
import { Problem } from "./problem.js";

/** A form with one action. It shows why the action failed, and keeps what was typed. */
export function Form({
  action,
  isReady = true,
  run,
  children,
}: {
  /** The text of the button. */
  action: string;
  /** Whether the human has filled in what the action needs. */
  isReady?: boolean;
  run: () => unknown;
  /** The fields. */
  children: ComponentChildren;
}) {
  const [error, setError] = useState<unknown>();
  const submit = async (event: MouseEvent) => {
    // The value of a number that the browser cannot read is empty, which the service would accept.
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
