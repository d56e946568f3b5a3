/** Formats names and values as lines, for the details of a row. */
import { safe } from "../../output/safe.js";
import { wrapped } from "../../output/text.js";
import { type Line, span } from "../kit/text/spans.js";
import { THEME } from "../kit/text/theme.js";

/** A narrower value is hard to read. */
const MIN_VALUE_WIDTH = 10;

/** Returns the lines of all fields with a value. Long values are wrapped to the right of the names. */
export function fieldLines(
  fields: readonly (readonly [name: string, value: string | undefined])[],
  width: number,
): Line[] {
  const shown = fields.filter((field): field is readonly [string, string] => field[1] !== undefined);
  const nameWidth = Math.max(0, ...shown.map(([name]) => name.length)) + 2;
  return shown.flatMap(([name, value]) =>
    wrapped(safe(value), Math.max(MIN_VALUE_WIDTH, width - nameWidth)).map(
      (line, i): Line => [span((i === 0 ? name : "").padEnd(nameWidth), THEME.faint), span(line)],
    ),
  );
}
