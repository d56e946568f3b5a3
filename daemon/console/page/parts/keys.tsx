/** The dialog that lists the keyboard shortcuts of a page. */
import { Fragment } from "preact";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";

interface KeysProps {
  texts: Readonly<Record<string, string>>;
  onClose: () => void;
}

export function Keys({ texts, onClose }: KeysProps) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="facts">
        {Object.entries(texts).map(([key, text]) => (
          <Fragment key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
      </dl>
      <Button onClick={onClose}>Close</Button>
    </Dialog>
  );
}
