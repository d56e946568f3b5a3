import { texts } from "../texts/index.js";
import { Button } from "./button.js";
import { showToast } from "./toast.js";

/** A button that copies a text, such as a key. */
export function Copy({ text, what }: { text: string; what: string }) {
  return (
    <Button
      label={texts.copyWhat(what)}
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        showToast(texts.copied(what));
      }}
    >
      {texts.copy}
    </Button>
  );
}
