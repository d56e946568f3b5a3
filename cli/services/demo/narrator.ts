/** Prints the steps of `wireroom demo` as they happen, on a terminal slowly enough to be read. */
import { monotonicMs, sleep } from "../../clock.js";
import type { Output } from "../../output/output.js";
import { indented, wrapped } from "../../output/text.js";

export interface Step<Result> {
  /** The person or handle that acts. */
  by: keyof typeof COLOURS;
  text: string;
  /** The command that does the same. */
  commands: readonly string[];
  act(): Promise<Result>;
  /** Absent if the next step shows the outcome. */
  outcome?(result: Result): string;
}

const COLOURS = { you: "magenta", owners: "magenta", "@planner": "cyan", "@weather": "yellow" } as const;
const SIGNS = { "✓": "green", "✗": "red", "…": "yellow" } as const;
const FIELDS = ["by", "text", "commands", "outcome"];
const INDENT = " ".repeat(10);
const PAUSE_PER_LINE_MS = 280;
/** No pause ends after this time, so that the demo stays short on a slow machine. */
const MAX_PAUSED_MS = 12_000;

export class Narrator {
  private readonly startedAtMs = monotonicMs();

  constructor(
    private readonly output: Output,
    private readonly signal: AbortSignal,
  ) {}

  say(text: string): Promise<void> {
    return this.print([...wrapped(text, this.output.width), ""]);
  }

  async step<Result>({ by, text, commands, act, outcome }: Step<Result>): Promise<Result> {
    const { paint, width } = this.output;
    const lines = indented(text, INDENT, width);
    lines[0] = paint(COLOURS[by], by.padEnd(INDENT.length)) + lines[0]!.trimStart();
    await this.print([...lines, ...commands.map((command) => INDENT + paint("dim", `$ ${command}`))]);
    const result = await act();
    const words = outcome?.(result);
    this.output.item({ by, text, commands, outcome: words ?? null }, () => {}, FIELDS);
    if (words !== undefined) {
      const colour = SIGNS[words[0] as keyof typeof SIGNS];
      await this.print(indented(words, INDENT, width).map((line) => paint(colour, line)));
    }
    return result;
  }

  /** Prints nothing with `--json`. Throws the reason of the signal if it aborts. */
  private async print(lines: readonly string[]): Promise<void> {
    if (!this.output.json) for (const line of lines) this.output.line(line);
    const leftMs = this.startedAtMs + MAX_PAUSED_MS - monotonicMs();
    if (this.output.isTerminal && leftMs > 0)
      await sleep(Math.min(PAUSE_PER_LINE_MS * lines.length, leftMs), this.signal);
    this.signal.throwIfAborted();
  }
}
