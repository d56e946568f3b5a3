import type { Check } from "../../../daemon/doctor/check.js";
import type { Output } from "../output.js";
import { oneLine } from "../safe.js";

const COLOURS = { ok: "green", warn: "yellow", fail: "red" } as const;
const WIDEST = "data folder".length;

/** One check of the doctor's: a line, and one more with what mends it. Three or four cells with tabs in a pipe. */
export function showCheck({ name, status, message, mend }: Check, output: Output): void {
  if (!output.isTerminal) {
    output.line([status, name, oneLine(message), ...(mend ? [oneLine(mend)] : [])].join("\t"));
    return;
  }
  output.line(
    `${output.paint(COLOURS[status], status.padEnd(4))}  ${name.padEnd(WIDEST)}  ${oneLine(message)}`,
  );
  if (mend) output.line(`${" ".repeat(WIDEST + 8)}${output.paint("dim", "→")} ${oneLine(mend)}`);
}
