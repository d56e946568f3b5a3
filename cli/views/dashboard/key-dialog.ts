/** A dialog that shows a new API key. The service returns the key only once. */
import { plain } from "../../output/colours.js";
import { explain } from "../../output/errors.js";
import type { Dialog } from "../frame/dialog.js";
import type { Shell } from "../frame/shell.js";
import { paragraphs, THEME } from "../styled-text/spans.js";

/** @param save saves the key in the profile `profileName` */
export function openKeyDialog(
  shell: Shell,
  { slug, key, profileName }: { slug: string; key: string; profileName: string },
  save: () => Promise<void>,
): void {
  let note: string | undefined;
  const saveKey = { keys: ["s"], label: `save to profile ${profileName}`, run: () => void saveIt() };
  // The key is on separate lines, so that the user can select it with the mouse.
  const dialogWithNote = (): Dialog => ({
    title: `Key of @${slug}`,
    lines: (width) => [
      ...paragraphs(["It is shown this once: the service keeps no copy of it."], width),
      [],
      ...paragraphs([key], width, THEME.fresh),
      [],
      ...paragraphs([note ?? "Select it with the mouse to copy it, or save it."], width, THEME.faint),
    ],
    bindings: [
      ...(note === undefined ? [saveKey] : []),
      { keys: ["escape", "q"], label: "close", run: () => shell.closeOverlay() },
    ],
  });
  let dialog = dialogWithNote();
  const show = (text: string, tone: "good" | "bad" | "plain") => {
    const { overlay } = shell.state;
    const isOpen = overlay?.kind === "dialog" && overlay.dialog === dialog;
    note = text;
    dialog = dialogWithNote();
    if (isOpen) shell.open(dialog);
    else shell.notify(text, tone);
  };
  const saveIt = async () => {
    show("saving …", "plain");
    await save().then(
      () => show(`kept in the profile ${profileName}`, "good"),
      (error) => show(explain(error, plain).message, "bad"),
    );
  };
  shell.open(dialog);
}
