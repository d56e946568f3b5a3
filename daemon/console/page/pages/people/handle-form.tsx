import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../../parts/button.js";
import { NameField } from "../../parts/field.js";

export function HandleForm({
  title,
  action,
  hint,
  disabled = false,
  run,
  children,
}: {
  title: string;
  action: string;
  hint: string;
  disabled?: boolean;
  run: (handle: string) => Promise<unknown>;
  /** Additional form fields. */
  children?: ComponentChildren;
}) {
  const [handle, setHandle] = useState("");
  return (
    <details class="sheet">
      <summary>{title}</summary>
      <form onSubmit={(event) => event.preventDefault()}>
        <NameField label="Handle" hint={hint} value={handle} onInput={setHandle} />
        {children}
        <Button
          type="submit"
          disabled={disabled || handle.trim() === ""}
          onClick={async () => {
            await run(handle.trim());
            setHandle("");
          }}
        >
          {action}
        </Button>
      </form>
    </details>
  );
}
