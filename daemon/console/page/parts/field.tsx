import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** What a control needs so that its label, hint and error belong to it. */
export interface ControlProps {
  id: string;
  "aria-describedby": string;
  "aria-invalid": boolean;
}

export interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  /** What is wrong with the value and what would be right. */
  error?: string | undefined;
  /** Renders the control. */
  children: (props: ControlProps) => ComponentChildren;
}

/** A labelled control of a form. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const about = `${id}-about`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": about, "aria-invalid": error !== undefined })}
      <div id={about}>
        {hint !== undefined && <p class="hint">{hint}</p>}
        {error !== undefined && <p class="problem">{error}</p>}
      </div>
    </div>
  );
}

interface NameInputProps extends Partial<ControlProps> {
  value: string;
  onInput: (value: string) => void;
  maxLength?: number;
  placeholder?: string;
  /** The id of a list of suggestions. */
  list?: string;
}

/** An input for the name of a handle, a space or a wire, which no keyboard should correct. */
export function NameInput({ onInput, ...props }: NameInputProps) {
  return (
    <input
      {...props}
      type="text"
      autoComplete="off"
      autoCapitalize="off"
      spellcheck={false}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}
