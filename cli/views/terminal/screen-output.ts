/**
 * Adapts Ink's output to a full-screen program. Frames start in the first row, columns stay aligned after
 * emoji, and colours can be disabled. Nothing is written after the program has left the full screen.
 */
import { EventEmitter } from "node:events";
import stringWidth from "string-width";

const HOME = "\x1b[H";
export const CLEAR = `\x1b[2J${HOME}`;
/** Matches sequences that set colours. Bold, faint and inverse are not colours (https://no-color.org). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with a control character
const COLOURS = /\x1b\[(?:[34]8;[\d;]+|[34][0-79]|9[0-7]|10[0-7])m/g;
/** Matches the start of Ink's incremental updates, which moves the cursor up by some rows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with a control character
const UPDATE = /^\x1b\[\d+A/;
/** Matches a changed line in Ink's incremental updates: to column 1, the text, erase the rest of the line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with a control character
const CHANGED_LINE = /\x1b\[1G([^\n]*?)\x1b\[K/g;
/** Matches characters whose width differs between terminals: emoji, flags and combined characters. */
const UNSURE = /[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Mark}\p{Emoji_Modifier}\u200c\u200d]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with a control character
const CONTROL_SEQUENCES = /(\x1b\[[0-?]*[ -/]*[@-~])/;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export type ScreenTarget = Pick<NodeJS.WriteStream, "write" | "columns">;

export class ScreenOutput extends EventEmitter {
  readonly isTTY = true;
  /**
   * The height that Ink sees. It is larger than every frame, because Ink would clear the terminal and its
   * scrollback for a frame that is as high as the terminal.
   */
  readonly rows = Number.MAX_SAFE_INTEGER;
  #isClosed = false;
  /** True from a resize until the next `redraw`, because the screen may differ from Ink's last frame. */
  #isOutdated = false;
  /** Collects Ink's output during `redraw`, so that it is written at once. Undefined at other times. */
  #batch: string | undefined;

  constructor(
    private readonly target: ScreenTarget,
    private readonly colour: boolean,
  ) {
    super();
  }

  get columns(): number {
    return this.target.columns ?? 80;
  }

  write(text: string, done?: () => void): boolean {
    // Ink writes a last frame when the process exits. Drop it, because the terminal is already restored by
    // then.
    if (!this.#isClosed && !this.#isOutdated && text !== "") this.#emit(text);
    if (done) setImmediate(done);
    return true;
  }

  /** Drops all of Ink's output until `redraw`, because incremental updates assume an unchanged screen. */
  invalidate(): void {
    this.#isOutdated = true;
  }

  /**
   * Clears the screen and draws the whole current frame, in a single write.
   * @param writeFrame the `write` of Ink's `useStdout()`, which writes a text and then the frame
   */
  redraw(writeFrame: (text: string) => void): void {
    // On this event, Ink renders the current state immediately instead of with the next frame.
    this.emit("resize");
    this.#isOutdated = false;
    this.#batch = "";
    writeFrame(CLEAR);
    const batch = this.#batch;
    this.#batch = undefined;
    if (!this.#isClosed) this.target.write(batch.slice(batch.indexOf(CLEAR)));
  }

  close(): void {
    this.#isClosed = true;
  }

  #emit(text: string): void {
    const prepared = this.#prepared(text);
    if (this.#batch === undefined) this.target.write(prepared);
    else this.#batch += prepared;
  }

  #prepared(text: string): string {
    // Ink 6.8.0 moves the cursor up one row too few if a frame ends with a line break. Moving to the first
    // row avoids this bug. After a full line, the cursor stays on the last column, so erasing after the text
    // would remove the border there. Erase before the text instead.
    const placed = text.replace(UPDATE, HOME).replace(CHANGED_LINE, "\x1b[1G\x1b[K$1");
    const aligned = UNSURE.test(placed) ? placed.split("\n").map(withColumns).join("\n") : placed;
    return this.colour ? aligned : aligned.replaceAll(COLOURS, "");
  }
}

function withColumns(line: string): string {
  if (!UNSURE.test(line)) return line;
  let column = 1;
  let result = "";
  for (const [index, part] of line.split(CONTROL_SEQUENCES).entries()) {
    // `split` with a group returns the control sequences at odd indexes.
    if (index % 2 === 1) {
      result += part;
      continue;
    }
    for (const { segment } of graphemes.segment(part)) {
      const width = stringWidth(segment);
      const start = column;
      column += width;
      // First overwrite the character's cells with spaces, because the terminal may draw the character
      // narrower.
      result += UNSURE.test(segment)
        ? `${" ".repeat(width)}\x1b[${start}G${segment}\x1b[${column}G`
        : segment;
    }
  }
  return result;
}
