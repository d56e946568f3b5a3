/** A round-robin queue. It takes one item per key in turn, so that no key's backlog blocks other keys. */
export class FairQueue<Item> {
  /** Items by key, in order of arrival. The map's first key is served next. */
  private readonly byKey = new Map<unknown, Item[]>();
  private count = 0;

  constructor(private readonly keyOf: (item: Item) => unknown) {}

  get size(): number {
    return this.count;
  }

  push(item: Item): void {
    const key = this.keyOf(item);
    const items = this.byKey.get(key);
    if (items) items.push(item);
    else this.byKey.set(key, [item]);
    this.count++;
  }

  /** Puts items back in front of their keys' other items. */
  putBack(items: readonly Item[]): void {
    for (const item of items.toReversed()) {
      const key = this.keyOf(item);
      this.byKey.set(key, [item, ...(this.byKey.get(key) ?? [])]);
    }
    this.count += items.length;
  }

  /**
   * Removes and returns the next item for which `mayTake` returns true, and moves the item's key to the end.
   */
  take(mayTake: (item: Item) => boolean = always): Item | undefined {
    for (const [key, items] of this.byKey) {
      const index = items.findIndex(mayTake);
      if (index < 0) continue;
      const item = index === 0 ? items.shift() : items.splice(index, 1)[0];
      this.count--;
      // Reinserting the key moves it to the end of the map.
      this.byKey.delete(key);
      if (items.length > 0) this.byKey.set(key, items);
      return item;
    }
    return undefined;
  }

  remove(isGone: (item: Item) => boolean): void {
    for (const [key, items] of this.byKey) {
      const rest = items.filter((item) => !isGone(item));
      this.count -= items.length - rest.length;
      if (rest.length > 0) this.byKey.set(key, rest);
      else this.byKey.delete(key);
    }
  }
}

const always = () => true;
