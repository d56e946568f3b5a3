/** What someone who mistyped a word most likely meant. */

/** The word that is nearest, where one is near at all. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const ranked = words
    .map((word) => ({ word, distance: distanceOf(typed.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= Math.max(2, Math.floor(word.length * 0.4)))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.word;
}

/** Letters to add, drop, change or swap with their neighbour (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? beforeLast[j - 2]! + 1
          : Number.POSITIVE_INFINITY;
      row.push(Math.min(changed, swapped, last[j]! + 1, row[j - 1]! + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
}
