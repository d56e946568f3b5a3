/**
 * Reads keys and pastes from the terminal. Views do not use Ink's `useInput`, because it passes fast typing
 * as one unknown key.
 *
 * Some terminals do not mark pastes. There, a read counts as a paste if text follows a line end or if a line
 * is long. A line end counts as the Enter key only if no text follows it within `PAUSE_MS`. A paste ends
 * after `PAUSE_MS` without input.
 */
import { emitKeypressEvents, type Interface, type Key as NodeKey } from "node:readline";

/** One key, or one paste. */
export interface Key {
  /** Name of the key, such as `a`, `?`, `enter`, `up`, `ctrl-c`, `meta-enter` or `paste`. */
  readonly name: string;
  /** Text that the key writes into a text field. Empty for all other keys. */
  readonly text: string;
}

const PASTE_START = "\x1b[200~";
/** Maximum pause within a marked paste. A longer pause ends the paste, in case its end mark was lost. */
const MARKED_PAUSE_MS = 2_000;
/** Maximum pause within a paste without marks, or after the end mark. */
const PAUSE_MS = 50;
/**
 * Matches a paste without marks: text after a line end, or a line longer than a human types between two
 * reads. A short line and its Enter key do not match, because a slow link may deliver both in one read.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys are control characters
const PASTED = /(?<!\x1b)[\r\n][^\0-\x08\x0b-\x1f\x7f]|^[^\0-\x1f\x7f]{33}/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys are control characters
const CONTROL = /[\0-\x1f\x7f]/;
/** Maximum length of a paste in one event. A longer paste is emitted in parts, which limits memory use. */
const LONGEST_PASTE = 1_000_000;
/** If no byte follows an escape byte within this time, the escape byte is the Escape key. */
const ESCAPE_TIMEOUT_MS = 40;
const CTRL_C = "\x03";

/** Names of keys that Node names differently. Node names Ctrl-J `enter`, and the Enter key `return`. */
const NAMES: Readonly<Record<string, string>> = {
  return: "enter",
  enter: "ctrl-j",
  pageup: "page-up",
  pagedown: "page-down",
};

export type KeySource = Pick<NodeJS.ReadStream, "setRawMode" | "on" | "off" | "resume" | "pause"> &
  NodeJS.ReadableStream;

export class Keyboard {
  /** Undefined outside a paste. */
  #paste: string | undefined;
  /** Line ends that may be Enter keys or belong to a paste. Empty during a paste. */
  #lineEnds: NodeKey[] = [];
  #pauseMs = PAUSE_MS;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  constructor(
    private readonly source: KeySource,
    private readonly receive: (key: Key) => void,
  ) {
    emitKeypressEvents(source, { escapeCodeTimeout: ESCAPE_TIMEOUT_MS } as unknown as Interface);
  }

  open(): void {
    this.source.setRawMode(true);
    this.source.on("data", this.#receiveData);
    this.source.on("keypress", this.#receiveKey);
    this.source.resume();
  }

  close(): void {
    this.#stopTimer();
    this.source.off("data", this.#receiveData);
    this.source.off("keypress", this.#receiveKey);
    this.source.setRawMode(false);
    this.source.pause();
  }

  readonly #receiveData = (data: Buffer | string): void => {
    const text = String(data);
    if (this.#paste === undefined) {
      const [unmarked = ""] = text.split(PASTE_START);
      if (PASTED.test(this.#heldText() + unmarked)) this.#continuePaste("", PAUSE_MS);
    } else if (text === CTRL_C) this.#endInput();
  };

  readonly #receiveKey = (_text: string | undefined, nodeKey: NodeKey): void => {
    const { name, sequence = "" } = nodeKey;
    const isLineEnd = sequence === "\r" || sequence === "\n";
    if (this.#paste === undefined && !isLineEnd) this.#endInput();
    if (name === "paste-start") this.#continuePaste("", MARKED_PAUSE_MS);
    else if (name === "paste-end") this.#continuePaste("", PAUSE_MS);
    else if (this.#paste !== undefined) this.#continuePaste(sequence);
    else if (isLineEnd) {
      this.#lineEnds.push(nodeKey);
      this.#awaitPause(PAUSE_MS);
    } else this.#emit(nodeKey);
  };

  #continuePaste(part: string, pauseMs = this.#pauseMs): void {
    this.#pauseMs = pauseMs;
    this.#paste = (this.#paste ?? this.#heldText()) + part;
    this.#lineEnds = [];
    this.#awaitPause(pauseMs);
    if (this.#paste.length < LONGEST_PASTE) return;
    this.#emitPaste(this.#paste);
    this.#paste = "";
  }

  #heldText(): string {
    return this.#lineEnds.map(({ sequence }) => sequence).join("");
  }

  #awaitPause(pauseMs: number): void {
    this.#stopTimer();
    this.#timer = setTimeout(() => {
      // Wait for an immediate. Before it runs, Node reads input that arrived while the process was busy.
      this.#immediate = setImmediate(() => this.#endInput());
    }, pauseMs);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }

  #endInput(): void {
    this.#stopTimer();
    const [paste, lineEnds] = [this.#paste, this.#lineEnds];
    this.#paste = undefined;
    this.#lineEnds = [];
    if (paste !== undefined) this.#emitPaste(paste);
    for (const lineEnd of lineEnds) this.#emit(lineEnd);
  }

  #emitPaste(text: string): void {
    // Remove escape bytes, as most terminals do in pastes.
    const clean = text.replaceAll(/\r\n?/g, "\n").replaceAll("\x1b", "");
    if (clean !== "") this.receive({ name: "paste", text: clean });
  }

  #emit(nodeKey: NodeKey): void {
    const key = keyOf(nodeKey);
    if (key) this.receive(key);
  }
}

/** Returns undefined for an unknown key sequence, to which Node gives no name or the name "undefined". */
function keyOf({ name, ctrl, meta, shift, sequence = "" }: NodeKey): Key | undefined {
  if (!CONTROL.test(sequence)) return { name: sequence, text: sequence };
  if (name === undefined || name === "undefined") return undefined;
  if (name === "escape") return { name, text: "" };
  if ((name === "left" || name === "right") && (ctrl || meta)) return { name: `word-${name}`, text: "" };
  if (name === "tab" && shift) return { name: "shift-tab", text: "" };
  const isControl = ctrl && name.length === 1;
  return { name: `${meta ? "meta-" : ""}${isControl ? "ctrl-" : ""}${NAMES[name] ?? name}`, text: "" };
}
