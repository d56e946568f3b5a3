/** Formats an error for humans: `error MESSAGE (CODE)`, its reasons, and what to do. */
import type { Paint } from "./colours.js";
import { type ContextFlags, withContext } from "./hint-context.js";

export interface ErrorFormat {
  paint: Paint;
  /** The command's flags, such as `--profile`. Hints repeat them in the commands that they suggest. */
  context?: ContextFlags | undefined;
  /** In columns. Undefined in a pipe. */
  width?: number | undefined;
}

/** An error formatted for humans. Control characters are escaped, so the text is safe to print. */
export interface Explanation {
  message: string;
  code: string;
  /** Details of the error, one line each: the posting rule, the schema, and each validation failure. */
  reasons: readonly string[];
  hints: readonly string[];
}

/** Breaks a text into lines of at most `width` columns. */
type Wrap = (text: string, width: number) => string[];

/** @param wrap a parameter, so that help pages need not load the packages that measure text */
export function errorText(
  { message, code, reasons, hints }: Explanation,
  { paint, context = {}, width = Number.POSITIVE_INFINITY }: ErrorFormat,
  wrap: Wrap,
): string {
  const first = wrap(`error ${message} (${code})`, width).join("\n");
  const lines = [colouredLine(first, code, paint), ...reasons];
  if (hints.length > 0)
    lines.push(
      "",
      paint("dim", "What to do:"),
      ...hints.flatMap((hint) => hintLines(withContext(hint, context), width, wrap)),
    );
  return `${lines.join("\n")}\n`;
}

/** Colours the text after it was wrapped, because `wrap` would count colour codes as characters. */
function colouredLine(broken: string, code: string, paint: Paint): string {
  const end = broken.endsWith(`(${code})`) ? -code.length - 2 : broken.length;
  const [word, rest, last] = [broken.slice(0, 5), broken.slice(5, end), broken.slice(end)];
  return `${paint(["red", "bold"], word)}${rest}${last && paint("dim", last)}`;
}

/** Wraps a hint, unless it contains a command, so that the command can be copied. */
function hintLines(hint: string, width: number, wrap: Wrap): string[] {
  const lines = hint.includes("wireroom ") ? [hint] : wrap(hint, width - 2);
  return lines.map((line) => `  ${line}`);
}
