/** A dialog that shows a new API key. The service returns the key only once. */
import { plain } from "../../output/colours.js";
import { explain } from "../../output/errors.js";
import type { Dialog } from "../frame/dialog.js";
import type { Shell } from "../frame/shell.js";
import { paragraphs, THEME } from "../styled-text/spans.js";

export interface Secret {
  readonly title: string;
  readonly value: string;
  readonly lines: readonly string[];
  save(): Promise<string>;
}

/** Opens the dialog. The key is on separate lines, so that the user can select it with the mouse. */
export function openSecretDialog(shell: Shell, profileName: string, secret: Secret): void {
  const dialogWith = (note: string | undefined): Dialog => ({
    title: secret.title,
    lines: (width) => [
      ...paragraphs(secret.lines, width),
      [],
      ...paragraphs([secret.value], width, THEME.fresh),
      [],
      ...paragraphs([note ?? "Select it with the mouse to copy it, or save it."], width, THEME.faint),
    ],
    bindings: [
      ...(note === undefined
        ? [{ keys: ["s"], label: `save to profile ${profileName}`, run: () => void save() }]
        : []),
      { keys: ["escape", "q"], label: "close", run: () => shell.closeOverlay() },
    ],
  });
  let dialog = dialogWith(undefined);
  const showNote = (note: string, tone: "good" | "bad" | "plain") => {
    const { overlay } = shell.state;
    const isOpen = overlay?.kind === "dialog" && overlay.dialog === dialog;
    dialog = dialogWith(note);
    if (isOpen) shell.open(dialog);
    else shell.notify(note, tone);
  };
  const save = async () => {
    showNote("saving …", "plain");
    try {
      showNote(await secret.save(), "good");
    } catch (error) {
      showNote(explain(error, plain).message, "bad");
    }
  };
  shell.open(dialog);
}
