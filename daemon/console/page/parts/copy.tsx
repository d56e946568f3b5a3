import { Button } from "./button.js";
import { showToast } from "./toast.js";

/** A button that copies a text, such as a key. */
export function Copy({ text, what }: { text: string; what: string }) {
  return (
    <Button
      label={`Copy ${what}`}
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        showToast(`Copied ${what}.`);
      }}
    >
      Copy
    </Button>
  );
}
