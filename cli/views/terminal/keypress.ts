/** Converts Ink's `useInput` events to keys. Each key has one name. */
import { type Key as InkKey, useInput } from "ink";
import { PASTE_MARK } from "./key-stream.js";

/** One key, or one paste. */
export interface Key {
  /** Name of the key, such as `a`, `?`, `enter`, `up`, `ctrl-c`, `meta-enter` or `paste`. */
  readonly name: string;
  /** Text that the key writes into a text field. Empty for all other keys. */
  readonly text: string;
}

const NAMED = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "page-up"],
  ["pageDown", "page-down"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "escape"],
  ["tab", "tab"],
  ["backspace", "backspace"],
  ["delete", "delete"],
] as const;

/** Calls `handler` for each key, in the order in which the user typed them. */
export function useKeypress(handler: (key: Key) => void): void {
  useInput((input, inkKey) => {
    const key = keyOf(input, inkKey);
    if (key) handler(key);
  });
}

/** Converts a `useInput` event to a key. Returns undefined for an unknown escape sequence. */
export function keyOf(input: string, inkKey: InkKey): Key | undefined {
  if (input.startsWith(PASTE_MARK)) return { name: "paste", text: input.slice(PASTE_MARK.length) };
  const named = NAMED.find(([flag]) => inkKey[flag])?.[1];
  if (named) return { name: modified(named, inkKey), text: "" };
  if (input === "\n") return { name: "ctrl-j", text: "" };
  // Ink reports an unknown escape sequence as text, without the escape byte.
  if (input === "" || /^[[O][!-~]/.test(input)) return undefined;
  if (!inkKey.ctrl && input < " ") return undefined;
  if (inkKey.ctrl) return { name: `ctrl-${input}`, text: "" };
  if (inkKey.meta) return { name: `meta-${input}`, text: "" };
  return { name: input, text: input };
}

function modified(name: string, { shift, ctrl, meta }: InkKey): string {
  if (name === "escape") return name;
  if ((name === "left" || name === "right") && (ctrl || meta)) return `word-${name}`;
  if (name === "tab" && shift) return "shift-tab";
  return meta ? `meta-${name}` : name;
}
