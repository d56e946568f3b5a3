/**
 * Form fields. Each shows a label, a control, a hint, and the problem that the field or its form has found.
 */
import { type ComponentChildren, createContext, type TargetedEvent } from "preact";
import { useContext, useId } from "preact/hooks";

/** A function that returns what is wrong with a field. The form provides it (form.tsx). */
export const FieldProblems = createContext<(name: string, label: string) => string | undefined>(
  () => undefined,
);

interface ControlProps {
  id: string;
  name?: string | undefined;
  "aria-describedby": string;
  "aria-invalid": boolean;
}

interface FieldProps {
  label: string;
  /** Name of the field in the API. */
  name?: string | undefined;
  hint?: ComponentChildren;
  error?: string | undefined;
}

interface LabelledProps extends FieldProps {
  children: (props: ControlProps) => ComponentChildren;
}

function Field({ label, name, hint, error, children }: LabelledProps) {
  const id = useId();
  const about = `${id}-about`;
  const found = useContext(FieldProblems)(name ?? "", label);
  const problem = error ?? found;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, name, "aria-describedby": about, "aria-invalid": problem !== undefined })}
      <div id={about}>
        {problem === undefined && hint !== undefined && <p class="hint">{hint}</p>}
        {problem !== undefined && <p class="problem">{problem}</p>}
      </div>
    </div>
  );
}

interface TextFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  /** Maximum number of characters. A longer text is not cut, and its form is not sent. */
  most?: number;
  /** `area`: several lines. `name`: a name, without autocompletion and spell checking. */
  type?: "text" | "area" | "name" | "number" | "password" | "date";
  autoComplete?: string;
  placeholder?: string;
  /** Names that complete the input. */
  known?: readonly string[];
  spellcheck?: boolean;
  required?: boolean;
  min?: number;
  max?: number;
}

const NAME = { type: "text", autoComplete: "off", autoCapitalize: "off", spellcheck: false } as const;

export function TextField({
  label,
  name,
  hint,
  type = "text",
  known,
  most,
  onChange,
  ...rest
}: TextFieldProps) {
  const length = most === undefined ? 0 : [...rest.value].length;
  const isTooLong = most !== undefined && length > most;
  const { error = isTooLong ? `${length} characters. At most ${most} are possible.` : undefined, ...others } =
    rest;
  const attributes = {
    ...others,
    ref: (input: HTMLInputElement | HTMLTextAreaElement | null) =>
      input?.setCustomValidity(isTooLong ? error! : ""),
    onInput: ({ currentTarget: { value } }: TargetedEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange(value),
  };
  return (
    <Field label={label} name={name} hint={hint} error={error}>
      {(control) => {
        if (type === "area") return <textarea {...control} {...attributes} />;
        const kind = type === "name" ? NAME : ({ type } as { type: "text" });
        if (!known) return <input {...control} {...attributes} {...kind} />;
        return (
          <>
            <input {...control} {...attributes} {...kind} list={`${control.id}-known`} />
            <datalist id={`${control.id}-known`}>
              {known.map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
          </>
        );
      }}
    </Field>
  );
}

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

interface SelectFieldProps<Value extends string> extends ChoiceProps<Value>, FieldProps {}

export function SelectField<Value extends string>({ label, name, hint, ...choice }: SelectFieldProps<Value>) {
  return (
    <Field label={label} name={name} hint={hint}>
      {(control) => <Select {...control} {...choice} />}
    </Field>
  );
}

interface RadioFieldProps<Value extends string> extends Omit<ChoiceProps<Value>, "options"> {
  legend: ComponentChildren;
  /** Unique among the page's radio fields. */
  name: string;
  options: Readonly<Record<Value, ComponentChildren>>;
}

export function RadioField<Value extends string>(props: RadioFieldProps<Value>) {
  const { legend, name, value, options, onChange } = props;
  return (
    <fieldset>
      <legend>{legend}</legend>
      {(Object.keys(options) as Value[]).map((each) => (
        <label key={each} class="check">
          <input type="radio" name={name} checked={value === each} onChange={() => onChange(each)} />
          <span>{options[each]}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface CheckFieldProps {
  name?: string;
  value: boolean;
  onChange: (value: boolean) => void;
  children: ComponentChildren;
}

export function CheckField({ name, value, onChange, children }: CheckFieldProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        name={name}
        checked={value}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {children}
    </label>
  );
}
