/** A dialog that shows a new API key. The service returns the key only once. */
import type { Shell } from "../frame/shell.js";
import { paragraphs, THEME } from "../styled-text/spans.js";

/** @param save saves the key in the profile `profileName` */
export function openKeyDialog(
  shell: Shell,
  { slug, key, profileName }: { slug: string; key: string; profileName: string },
  save: () => Promise<void>,
): void {
  const saveIt = () =>
    shell.attempt("saving", async () => {
      await save();
      shell.notify(`kept in the profile ${profileName}`, "good");
    });
  shell.open({
    title: `Key of @${slug}`,
    // The key is on separate lines, so that the user can select it with the mouse.
    lines: (width) => [
      ...paragraphs(["It is shown this once: the service keeps no copy of it."], width),
      [],
      ...paragraphs([key], width, THEME.fresh),
      [],
      ...paragraphs([shell.state.status?.text ?? "Select it with the mouse to copy it, or save it."], width),
    ],
    bindings: [
      { keys: ["s"], label: `save to profile ${profileName}`, run: () => void saveIt() },
      { keys: ["escape", "q"], label: "close", run: () => shell.closeOverlay() },
    ],
  });
}
