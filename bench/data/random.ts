/** Numbers that look random and are the same in every run (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 to `count - 1`, each as likely. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** A rank from 0 to `count - 1`, where rank r is about as likely as 1 / (r + 1): Zipf's law, as words of a language have it. */
  zipf(count: number): number {
    return Math.min(Math.floor(Math.exp(this.next() * Math.log(count + 1))) - 1, count - 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}
