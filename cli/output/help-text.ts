/**
 * Wraps the prose of a text. Consecutive lines are one paragraph; indented lines stay as they are.
 * @param width in columns; infinite to only join the lines of each paragraph
 */
export function wrapProse(text: string, width: number): string {
  const lines: string[] = [];
  let prose: string[] = [];
  const endProse = () => {
    if (prose.length > 0) lines.push(...wrapWords(prose.join(" ").split(" "), width));
    prose = [];
  };
  for (const line of text.split("\n")) {
    if (line !== "" && !line.startsWith(" ")) {
      prose.push(line);
      continue;
    }
    endProse();
    lines.push(line);
  }
  endProse();
  return lines.join("\n");
}

function wrapWords(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
