/** The queue behind `work`: holds items that are read but not acknowledged, and decides which may start. */

export interface Entry<Item> {
  readonly item: Item;
  readonly key: string;
  readonly thread: string;
  /**
   * - `waiting`: may start, unless an earlier item of its thread is unfinished;
   * - `running`: its handler runs;
   * - `pausing`: failed and waits for its next attempt;
   * - `finished`: can be acknowledged together with all items before it;
   * - `left`: handled, but its handler asked not to acknowledge it.
   */
  state: "waiting" | "running" | "pausing" | "finished" | "left";
  attempt: number;
}

/** Unacknowledged items, in log order. */
export class WorkQueue<Item> {
  #entries: Entry<Item>[] = [];

  get size(): number {
    return this.#entries.length;
  }

  get isHandled(): boolean {
    return this.#entries.every(({ state }) => state === "finished" || state === "left");
  }

  get running(): number {
    return this.#entries.filter(({ state }) => state === "running").length;
  }

  /**
   * Updates the queue with a page that starts at the stored position. Drops items that are missing from the
   * page, unless they are running, because another reader has acknowledged them. Returns the number of new
   * items.
   */
  update(page: readonly Pick<Entry<Item>, "item" | "key" | "thread">[]): number {
    const present = new Set(page.map(({ key }) => key));
    this.#entries = this.#entries.filter(({ key, state }) => state === "running" || present.has(key));
    const known = new Set(this.#entries.map(({ key }) => key));
    const added = page.filter(({ key }) => !known.has(key));
    this.#entries.push(...added.map((entry) => ({ ...entry, state: "waiting" as const, attempt: 0 })));
    return added.length;
  }

  /** Returns the oldest waiting item whose thread has no earlier unfinished item. */
  next(): Entry<Item> | undefined {
    const busy = new Set<string>();
    return this.#entries.find(({ state, thread }) => {
      if (state === "finished" || state === "left" || busy.has(thread)) return false;
      busy.add(thread);
      return state === "waiting";
    });
  }

  finishedPrefix(): ReadonlySet<string> {
    const end = this.#entries.findIndex(({ state }) => state !== "finished");
    const prefix = end === -1 ? this.#entries : this.#entries.slice(0, end);
    return new Set(prefix.map(({ key }) => key));
  }

  remove(keys: ReadonlySet<string>): void {
    this.#entries = this.#entries.filter(({ key }) => !keys.has(key));
  }
}
