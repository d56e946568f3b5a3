import type { ComponentChildren } from "preact";
import { TextField } from "../../parts/field.js";
import { Form, useForm } from "../../parts/form.js";

export function HandleForm({
  title,
  action,
  hint,
  isReady = true,
  run,
  children,
}: {
  title: string;
  action: string;
  hint: string;
  isReady?: boolean;
  run: (handle: string) => Promise<unknown>;
  /** Additional form fields. */
  children?: ComponentChildren;
}) {
  const { values, field, clear } = useForm({ handle: "" });
  const handle = values.handle.trim();
  const act = async () => {
    await run(handle);
    clear();
  };
  return (
    <details class="sheet">
      <summary>{title}</summary>
      <Form class="" action={action} kind="plain" isReady={isReady && handle !== ""} run={act}>
        <TextField type="name" label="Handle" hint={hint} {...field("handle")} />
        {children}
      </Form>
    </details>
  );
}
