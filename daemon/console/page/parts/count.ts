/** Returns a number with its noun, such as `1 wire` or `3 wires`. */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}
