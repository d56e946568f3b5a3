import type { Check } from "../../../daemon/doctor/check.js";
import type { Output } from "../output.js";
import { oneLine } from "../safe.js";

const COLOURS = { ok: "green", warn: "yellow", fail: "red" } as const;
const NAME_WIDTH = "data folder".length;

/** Prints one check of `wireroom doctor`, and how to fix the problem. In a pipe, one tab-separated line. */
export function showCheck({ name, status, message, mend }: Check, output: Output): void {
  if (!output.isTerminal) {
    output.line([status, name, oneLine(message), ...(mend ? [oneLine(mend)] : [])].join("\t"));
    return;
  }
  output.line(
    `${output.paint(COLOURS[status], status.padEnd(4))}  ${name.padEnd(NAME_WIDTH)}  ${oneLine(message)}`,
  );
  if (mend) output.line(`${" ".repeat(NAME_WIDTH + 8)}${output.paint("dim", "→")} ${oneLine(mend)}`);
}
