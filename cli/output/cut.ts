import cliTruncate from "cli-truncate";
import stringWidth from "string-width";

/** The text in at most `width` columns; what is cut ends with `…`. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const shorter = cliTruncate(text, Math.max(0, width));
  // Where a sign of two columns stands at the end, one too many is left.
  return stringWidth(shorter) <= width ? shorter : cliTruncate(text, width - 1);
}
