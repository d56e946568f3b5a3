/** A pseudo-random number generator that returns the same numbers in every run (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns a uniformly distributed whole number from 0 to `count - 1`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /**
   * Returns a rank from 0 to `count - 1` by Zipf's law, as for words: rank r has a probability of about 1 /
   * (r + 1).
   */
  zipf(count: number): number {
    return Math.min(Math.floor(Math.exp(this.next() * Math.log(count + 1))) - 1, count - 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}
