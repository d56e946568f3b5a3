/**
 * Adapts standard input to Ink. Ink passes all bytes of one read to `useInput` as a single event, so fast
 * typing would arrive as one unknown key. This stream therefore emits exactly one key or one paste per chunk.
 */
import { emitKeypressEvents, type Interface, type Key } from "node:readline";
import { Readable } from "node:stream";

/** Marks a chunk as pasted text. Unicode reserves this noncharacter for a program's internal use. */
export const PASTE_MARK = "\ufdd0";
/** Maximum pause within a paste. If its end mark is missing, later keys would otherwise be added to it. */
const PASTE_TIMEOUT_MS = 2_000;
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
  #pasteTimer: NodeJS.Timeout | undefined;
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
      clearTimeout(this.#pasteTimer);
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

  /** Ends a paste without an end mark at Ctrl-C. A Ctrl-C in its own chunk was typed, not pasted. */
  readonly #receiveData = (data: Buffer | string): void => {
    if (this.#paste !== undefined && String(data) === CTRL_C) this.#endPaste();
  };

  readonly #receiveKey = (_text: string | undefined, { name, meta, sequence = "" }: Key): void => {
    // Node names an unknown sequence "undefined", and gives an unknown Alt combination no name.
    const isKnown = name !== "undefined" && (name !== undefined || !meta);
    if (name === "paste-start") this.#continuePaste("");
    else if (name === "paste-end") this.#endPaste();
    else if (this.#paste !== undefined) this.#continuePaste(this.#paste + sequence);
    else if (sequence === CTRL_Z) this.onSuspend();
    else if (isKnown) this.#emit(SEQUENCES_FOR_INK[sequence] ?? sequence);
  };

  #continuePaste(text: string): void {
    clearTimeout(this.#pasteTimer);
    this.#pasteTimer = setTimeout(() => this.#endPaste(), PASTE_TIMEOUT_MS);
    this.#paste = text;
    if (text.length < LONGEST_PASTE) return;
    this.#emitPaste(text);
    this.#paste = "";
  }

  /** Ends the current paste, and emits its text so far. */
  #endPaste(): void {
    clearTimeout(this.#pasteTimer);
    this.#emitPaste(this.#paste ?? "");
    this.#paste = undefined;
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
