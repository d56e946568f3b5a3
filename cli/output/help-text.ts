/**
 * Wraps a text. Joins consecutive lines into one paragraph, but keeps indented lines unchanged.
 * @param width in columns; `Infinity` joins lines without wrapping them
 */
export function wrapProse(text: string, width: number): string {
  return wrapLines(text, width).join("\n");
}

export function wrapLines(text: string, width: number): string[] {
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
  return lines;
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
