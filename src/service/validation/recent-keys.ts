/** A set of strings that forgets those added longest ago. */
export class RecentKeys {
  readonly #keys = new Set<string>();

  constructor(readonly limit: number) {}

  get size(): number {
    return this.#keys.size;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(key: string): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size <= this.limit) return;
    const [oldest] = this.#keys;
    if (oldest !== undefined) this.#keys.delete(oldest);
  }

  delete(key: string): void {
    this.#keys.delete(key);
  }
}
