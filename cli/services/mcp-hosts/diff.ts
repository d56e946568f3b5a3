/** Keys, and what an `Authorization` header contains. */
const SECRET = /\b(?:wr|wt)_\w{20,}|(?<=\bBearer )[^\s"'$]+/g;

/**
 * Returns the lines that a change has removed and added, in the order of the file, with `-` and `+` in front.
 * Lines that stay are left out, because configurations may contain secrets, and keys in the others are
 * masked. The algorithm is that of Myers, which finds the fewest lines: https://doi.org/10.1007/BF01840446
 */
export function changedLines(before: string, after: string): string[] {
  const old = linesOf(before);
  const changed = linesOf(after);
  const rounds = search(old, changed);
  const lines: string[] = [];
  let diagonal = old.length - changed.length;
  for (let edits = rounds.length - 1; edits > 0; edits--) {
    const reached = rounds[edits]!;
    const isAdded = comesFromAbove(reached, diagonal, edits);
    diagonal += isAdded ? 1 : -1;
    const at = reached.get(diagonal)!;
    lines.push(isAdded ? `+${changed[at - diagonal]}` : `-${old[at]}`);
  }
  return lines.reverse().map((line) => line.replace(SECRET, "…"));
}

/**
 * Returns, for each number of edits, how many lines of `old` fewer edits could pass on each diagonal
 * (position in `old` minus position in `changed`). The last round reaches the end of both.
 */
function search(old: readonly string[], changed: readonly string[]): ReadonlyMap<number, number>[] {
  const rounds: Map<number, number>[] = [];
  const reached = new Map([[1, 0]]);
  for (let edits = 0; ; edits++) {
    rounds.push(new Map(reached));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let at = comesFromAbove(reached, diagonal, edits)
        ? reached.get(diagonal + 1)!
        : reached.get(diagonal - 1)! + 1;
      while (at < old.length && at - diagonal < changed.length && old[at] === changed[at - diagonal]) at++;
      reached.set(diagonal, at);
      if (at >= old.length && at - diagonal >= changed.length) return rounds;
    }
  }
}

/** Returns whether the last edit on the way to the diagonal adds a line. Otherwise, it removes one. */
function comesFromAbove(reached: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  if (diagonal === -edits || diagonal === edits) return diagonal === -edits;
  return reached.get(diagonal - 1)! < reached.get(diagonal + 1)!;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}
