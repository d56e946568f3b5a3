/** Where a line editor shows what is typed: the terminal, or nowhere. */
import { Writable } from "node:stream";

export class Echo extends Writable {
  /** Whether what is typed is shown now. */
  shown = false;
  readonly #resized = () => void this.emit("resize");

  constructor(private readonly terminal: NodeJS.WriteStream) {
    super();
    terminal.on("resize", this.#resized);
  }

  /** The line editor asks for it, to break long lines. */
  get columns(): number {
    return this.terminal.columns;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.shown) this.terminal.write(chunk);
    done();
  }

  release(): void {
    this.terminal.off("resize", this.#resized);
  }
}
