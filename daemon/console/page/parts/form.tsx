/** Forms: the values that the human has typed, the action, and each problem at the field that it concerns. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useDraft } from "../app/draft.js";
import { Button } from "./button.js";
import { reasonsOf, sentenceOf } from "./error-message.js";
import { FieldProblems } from "./field.js";
import { Problem } from "./problem.js";

/** Connects a field to its form. `name` is the name of the field in the API. */
export interface Bound<Value> {
  name: string;
  value: Value;
  onChange(value: Value): void;
}

/**
 * Returns the values of a form: the saved values, overridden by the human's changes.
 * @param draft a key under which the tab keeps the changes until `clear` is called
 */
export function useForm<Values extends object>(saved: Values, draft?: string) {
  const [changes, setChanges] = useDraft<Partial<Values>>(draft, {});
  // A password manager changes several fields before the form is rendered again.
  const latest = useRef(changes);
  latest.current = changes;
  const values = { ...saved, ...changes };
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(saved[name as keyof Values]);
  const change = (next: Partial<Values>) => {
    const all = Object.entries({ ...saved, ...latest.current, ...next });
    latest.current = Object.fromEntries(all.filter(isChanged)) as Partial<Values>;
    setChanges(latest.current);
  };
  return {
    values,
    /** The changed values. A form sends only these, because someone else may have changed the others. */
    changes,
    clear: () => setChanges({}),
    field: <Name extends keyof Values & string>(name: Name): Bound<Values[Name]> => ({
      name,
      value: values[name],
      onChange: (value) => change({ [name]: value } as unknown as Partial<Values>),
    }),
  };
}

export interface FormProps {
  title?: string;
  /** The button's text. Undefined if the human can only read the form. */
  action: string | undefined;
  kind?: "plain" | "main" | "danger";
  isReady?: boolean;
  run: () => unknown;
  children: ComponentChildren;
  beside?: ComponentChildren;
  class?: string;
}

/** A form with one action. Ctrl + Enter also runs it. If the action fails, the input stays. */
export function Form({
  title,
  action,
  kind = "main",
  isReady = true,
  run,
  children,
  beside,
  class: className = "sheet",
}: FormProps) {
  const [error, setError] = useState<unknown>();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const field = error !== undefined && form.current!.querySelector<HTMLElement>("[aria-invalid=true]");
    if (!field) return;
    field.closest("details")?.setAttribute("open", "");
    field.focus();
  }, [error]);
  const submit = async () => {
    // Check the fields first. Otherwise an invalid number would be sent as an empty value, which the service
    // would accept.
    if (form.current?.reportValidity() === false) return;
    setError(undefined);
    try {
      await run();
    } catch (reason) {
      setError(reason);
    }
  };
  const reasons = reasonsOf(error);
  const isAt = (path: string, name: string) => `${path}/`.startsWith(`/${name}/`);
  const problemAt = (name: string, label: string) => {
    const here = reasons.filter(({ instancePath }) => isAt(instancePath, name));
    const texts = here.map((each) => sentenceOf(each, name, label));
    return texts.length > 0 ? [...new Set(texts)].join(" ") : undefined;
  };
  const names = [...(form.current?.elements ?? [])].flatMap((each) => each.getAttribute("name") ?? []);
  const elsewhere = reasons.filter(({ instancePath }) => !names.some((name) => isAt(instancePath, name)));
  return (
    <form
      ref={form}
      class={className}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
          form.current!.querySelector<HTMLElement>("button[type=submit]")!.click();
      }}
    >
      {title !== undefined && <h2>{title}</h2>}
      <FieldProblems.Provider value={problemAt}>{children}</FieldProblems.Provider>
      {error !== undefined && (reasons.length === 0 || elsewhere.length > 0) && (
        <Problem error={error} reasons={elsewhere} />
      )}
      {action !== undefined && (
        <div class="actions">
          <Button kind={kind} type="submit" disabled={!isReady} onClick={submit}>
            {action}
          </Button>
          {beside}
        </div>
      )}
    </form>
  );
}

/** Parses a comma-separated list. */
export function entriesOf(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
}
