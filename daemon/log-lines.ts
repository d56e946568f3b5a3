/** Lines of a log on their way to their file, many at a time, so that neither a slow disk nor the writing delays a request. */

/** Characters that are written at once, and milliseconds that a line waits for others at most. */
const MANY = 65_536;
const PATIENCE = 50;

interface Destination {
  write(text: string): unknown;
  flushSync(): void;
}

/**
 * Keeps lines apart until they are written. The destination's own buffer is one text, of which it finds out the length anew
 * with each line: that took a tenth of the time of a short request.
 */
export class LogLines {
  private lines: string[] = [];
  private characters = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly destination: Destination) {
    process.once("exit", () => this.end());
  }

  write(line: string): void {
    this.lines.push(line);
    this.characters += line.length;
    if (this.characters >= MANY) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), PATIENCE).unref();
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.lines.length === 0) return;
    this.destination.write(this.lines.join(""));
    this.lines = [];
    this.characters = 0;
  }

  /** The process ends: what is not written now is lost. */
  private end(): void {
    this.flush();
    this.destination.flushSync();
  }
}
