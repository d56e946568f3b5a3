import { Button, type ButtonProps } from "./button.js";
import { showToast } from "./toast.js";

interface CopyProps extends Pick<ButtonProps, "kind"> {
  text: string | (() => string);
  what: string;
  /** The button's text. */
  title?: string;
}

export function Copy({ text, what, title = "Copy", ...rest }: CopyProps) {
  return (
    <Button
      {...rest}
      label={`Copy ${what}`}
      onClick={async () => {
        await navigator.clipboard.writeText(typeof text === "string" ? text : text());
        showToast(`Copied ${what}.`);
      }}
    >
      {title}
    </Button>
  );
}
