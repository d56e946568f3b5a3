/** Names and values as lines, for the lower part of a pane. */
import { safe } from "../../output/safe.js";
import { wrapped } from "../../output/text.js";
import { type Line, span } from "../kit/spans.js";
import { THEME } from "../kit/theme.js";

/** What is undefined is left out; long values go on below themselves. */
export function fieldLines(
  pairs: readonly (readonly [name: string, value: string | undefined])[],
  width: number,
): Line[] {
  const given = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined);
  const longest = Math.max(0, ...given.map(([name]) => name.length)) + 2;
  return given.flatMap(([name, value]) =>
    wrapped(safe(value), Math.max(10, width - longest)).map(
      (line, i): Line => [span((i === 0 ? name : "").padEnd(longest), THEME.faint), span(line)],
    ),
  );
}
