/**
 * Returns the lines that an edit in one place has removed and added, with `-` and `+` in front. Lines around them are
 * left out, because configurations may contain secrets.
 */
export function changedLines(before: string, after: string): string[] {
  const old = linesOf(before);
  const changed = linesOf(after);
  let start = 0;
  while (start < Math.min(old.length, changed.length) && old[start] === changed[start]) start++;
  let oldEnd = old.length;
  let changedEnd = changed.length;
  while (oldEnd > start && changedEnd > start && old[oldEnd - 1] === changed[changedEnd - 1]) {
    oldEnd--;
    changedEnd--;
  }
  return [
    ...old.slice(start, oldEnd).map((line) => `-${line}`),
    ...changed.slice(start, changedEnd).map((line) => `+${line}`),
  ];
}

function linesOf(text: string): string[] {
  return text.replace(/\r?\n$/, "").split(/\r?\n/);
}
