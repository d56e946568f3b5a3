/** Form fields. Each has a control, a label, a hint and an error message. */
import type { ComponentChildren, TargetedEvent } from "preact";
import { useId } from "preact/hooks";

export interface ControlProps {
  id: string;
  "aria-describedby": string;
  "aria-invalid": boolean;
}

export interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  /** Renders the control. */
  children: (props: ControlProps) => ComponentChildren;
}

/** A form control with its label. */
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

interface TextProps {
  value: string;
  onInput: (value: string) => void;
  maxLength?: number;
}

interface TextFieldProps extends Omit<FieldProps, "children">, TextProps {
  /** `area` means a multi-line text. */
  type?: "text" | "area" | "number" | "password" | "date";
  autoComplete?: string;
  required?: boolean;
  min?: number;
  max?: number;
}

export function TextField({ label, hint, error, type = "text", onInput, ...rest }: TextFieldProps) {
  const attributes = {
    ...rest,
    onInput: ({ currentTarget: { value } }: TargetedEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onInput(value),
  };
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) =>
        type === "area" ? (
          <textarea {...control} {...attributes} />
        ) : (
          <input {...control} {...attributes} type={type as "text"} />
        )
      }
    </Field>
  );
}

export function NameField({ label, hint, error, ...text }: Omit<FieldProps, "children"> & TextProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <NameInput {...control} {...text} />}
    </Field>
  );
}

interface NameInputProps extends Partial<ControlProps>, TextProps {
  placeholder?: string;
  /** Id of the list of suggestions. */
  list?: string;
}

/** An input for a name, without autocompletion and spell checking. */
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

/** The selectable values with their labels. */
type Options<Value extends string> = Readonly<Record<Value, string>> | readonly (readonly [Value, string])[];

interface ChoiceProps<Value extends string> {
  value: Value;
  options: Options<Value>;
  onChange: (value: Value) => void;
}

function optionsOf<Value extends string>(options: Options<Value>): readonly (readonly [Value, string])[] {
  return Array.isArray(options) ? options : (Object.entries(options) as [Value, string][]);
}

interface SelectProps<Value extends string> extends ChoiceProps<Value>, Partial<ControlProps> {
  "aria-label"?: string;
}

export function Select<Value extends string>({ options, onChange, ...props }: SelectProps<Value>) {
  return (
    <select {...props} onChange={(event) => onChange(event.currentTarget.value as Value)}>
      {optionsOf(options).map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}

export function SelectField<Value extends string>({
  label,
  hint,
  ...choice
}: ChoiceProps<Value> & Omit<FieldProps, "children">) {
  return (
    <Field label={label} hint={hint}>
      {(control) => <Select {...control} {...choice} />}
    </Field>
  );
}

/** @param name a name that is unique among the page's radio fields */
export function RadioField<Value extends string>({
  legend,
  name,
  value,
  options,
  onChange,
}: ChoiceProps<Value> & { legend: ComponentChildren; name: string }) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {optionsOf(options).map(([each, text]) => (
        <label key={each} class="check">
          <input type="radio" name={name} checked={value === each} onChange={() => onChange(each)} />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

export function CheckField({
  checked,
  onChange,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ComponentChildren;
}) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      {children}
    </label>
  );
}
