import { Button } from "./button.js";
import { showToast } from "./toast.js";

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
