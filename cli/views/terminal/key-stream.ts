/**
 * Adapts standard input to Ink. Ink passes all bytes of one read to `useInput` as a single event, so fast
 * typing would arrive as one unknown key. This stream therefore emits exactly one key or one paste per chunk.
 *
 * Some terminals do not mark pastes. Text that follows a line end in one read is then a paste, and so is a
 * long line. A line end is the Enter key only if no text follows it for `PAUSE_MS`. A paste ends after
 * `PAUSE_MS` without input, so that none of its characters becomes a key.
 */
import { emitKeypressEvents, type Interface, type Key } from "node:readline";
import { Readable } from "node:stream";

/** Marks a chunk as pasted text. Unicode reserves this noncharacter for a program's internal use. */
export const PASTE_MARK = "\ufdd0";
const PASTE_START = "\x1b[200~";
/** Maximum pause within a marked paste. Without its end mark, later keys would otherwise be added to it. */
const MARKED_PAUSE_MS = 2_000;
/** Maximum pause within a paste without marks, or after the end mark. */
const PAUSE_MS = 50;
/**
 * Matches a paste without marks. A slow link may deliver typed words and their Enter key in one read. So a
 * line end counts only if text follows it, and a line only if it is longer than what a human types meanwhile.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys are control characters
const PASTED = /(?<!\x1b)[\r\n][^\0-\x08\x0b-\x1f\x7f]|^[^\0-\x1f\x7f]{33}/;
/** Maximum length of a paste in one chunk. A longer paste is emitted in parts, which limits memory use. */
const LONGEST_PASTE = 1_000_000;
/** If no byte follows an escape byte within this time, the escape byte is the Escape key. */
const ESCAPE_TIMEOUT_MS = 40;
const CTRL_C = "\x03";
const CTRL_Z = "\x1a";

/** Maps terminal sequences that Ink misinterprets to equivalent sequences that Ink recognises. */
const SEQUENCES_FOR_INK: Readonly<Record<string, string>> = {
  // Ink waits for more bytes after an escape byte, but not after the kitty protocol's sequence for the Escape
  // key.
  "\x1b": "\x1b[27u",
  "\x1b\x1b": "\x1b[27u",
  // The Backspace key sends DEL, but Ink reports DEL as the Delete key and BS as the Backspace key.
  "\x7f": "\b",
  "\x1b\x7f": "\x1b\b",
};

/** The parts of `process.stdin` that the stream uses. */
export type KeySource = Pick<
  NodeJS.ReadStream,
  "isTTY" | "setRawMode" | "on" | "off" | "resume" | "pause" | "ref" | "unref"
> &
  NodeJS.ReadableStream;

export class KeyStream extends Readable {
  readonly isTTY = true;
  /** Keys and pastes that Ink has not read yet. */
  readonly #chunks: string[] = [];
  /** Text of the current paste so far. Undefined outside a paste. */
  #paste: string | undefined;
  /** Line ends that may be Enter keys or belong to a paste. Empty during a paste. */
  #lineEnds = "";
  /** Maximum pause until the next input of the paste. */
  #pauseMs = PAUSE_MS;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #isReading = false;

  /** @param onSuspend called for Ctrl-Z, because in raw mode the terminal does not suspend the process */
  constructor(
    private readonly source: KeySource,
    private readonly onSuspend: () => void,
  ) {
    // In object mode, `read()` returns a single chunk. In other modes it would join all buffered chunks.
    super({ objectMode: true, highWaterMark: 1 });
    emitKeypressEvents(source, { escapeCodeTimeout: ESCAPE_TIMEOUT_MS } as unknown as Interface);
  }

  /**
   * Starts or stops reading keys. Ink calls this for the first `useInput` that mounts and the last to
   * unmount.
   */
  setRawMode(isRaw: boolean): this {
    this.source.setRawMode(isRaw);
    if (isRaw) {
      this.source.on("data", this.#receiveData);
      this.source.on("keypress", this.#receiveKey);
      this.source.resume();
    } else {
      this.#stopTimer();
      this.source.off("data", this.#receiveData);
      this.source.off("keypress", this.#receiveKey);
      this.source.pause();
    }
    return this;
  }

  /** Does nothing: chunks are already strings, and `Readable.setEncoding` would join the buffered chunks. */
  override setEncoding(): this {
    return this;
  }

  ref(): this {
    this.source.ref();
    return this;
  }

  unref(): this {
    this.source.unref();
    return this;
  }

  override _read(): void {
    this.#isReading = true;
    this.#pushNext();
  }

  /** Begins a paste without marks, and ends a paste at Ctrl-C in its own read, because it was typed. */
  readonly #receiveData = (data: Buffer | string): void => {
    const text = String(data);
    if (this.#paste === undefined) {
      const [unmarked = ""] = text.split(PASTE_START);
      if (PASTED.test(this.#lineEnds + unmarked)) this.#continuePaste("", PAUSE_MS);
    } else if (text === CTRL_C) this.#endInput();
  };

  readonly #receiveKey = (_text: string | undefined, { name, meta, sequence = "" }: Key): void => {
    // Node names an unknown sequence "undefined", and gives an unknown Alt combination no name.
    const isKnown = name !== "undefined" && (name !== undefined || !meta);
    const isLineEnd = sequence === "\r" || sequence === "\n";
    if (this.#paste === undefined && !isLineEnd) this.#endInput();
    if (name === "paste-start") this.#continuePaste("", MARKED_PAUSE_MS);
    else if (name === "paste-end") this.#continuePaste("", PAUSE_MS);
    else if (this.#paste !== undefined) this.#continuePaste(sequence);
    else if (isLineEnd) this.#holdLineEnd(sequence);
    else if (sequence === CTRL_Z) this.onSuspend();
    else if (isKnown) this.#emit(SEQUENCES_FOR_INK[sequence] ?? sequence);
  };

  #holdLineEnd(lineEnd: string): void {
    this.#lineEnds += lineEnd;
    this.#awaitPause(PAUSE_MS);
  }

  #continuePaste(part: string, pauseMs = this.#pauseMs): void {
    this.#pauseMs = pauseMs;
    this.#paste = (this.#paste ?? this.#lineEnds) + part;
    this.#lineEnds = "";
    this.#awaitPause(pauseMs);
    if (this.#paste.length < LONGEST_PASTE) return;
    this.#emitPaste(this.#paste);
    this.#paste = "";
  }

  /** Ends the paste, or emits the line ends as keys, after a pause without input. */
  #awaitPause(pauseMs: number): void {
    this.#stopTimer();
    this.#timer = setTimeout(() => {
      // If the process was busy, input may be waiting. The event loop reads it before it runs an immediate.
      this.#immediate = setImmediate(() => this.#endInput());
    }, pauseMs);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }

  /** Emits the current paste, or the line ends as keys. */
  #endInput(): void {
    this.#stopTimer();
    if (this.#paste !== undefined) this.#emitPaste(this.#paste);
    for (const lineEnd of this.#lineEnds) this.#emit(lineEnd);
    this.#paste = undefined;
    this.#lineEnds = "";
  }

  #emitPaste(text: string): void {
    // Remove escape bytes, as most terminals do in pastes, because Ink would split the paste at them.
    const clean = text.replaceAll(/\r\n?/g, "\n").replaceAll("\x1b", "");
    if (clean !== "") this.#emit(PASTE_MARK + clean);
  }

  #emit(chunk: string): void {
    this.#chunks.push(chunk);
    this.#pushNext();
  }

  /** Pushes one chunk in the next iteration of the event loop, so that React can render between two keys. */
  #pushNext(): void {
    if (!this.#isReading || this.#chunks.length === 0) return;
    this.#isReading = false;
    setImmediate(() => this.push(this.#chunks.shift()));
  }
}
