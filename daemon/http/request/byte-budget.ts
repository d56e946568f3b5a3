/** Counts the bytes of requests or responses in memory per owner, so that limits can be enforced. */

export interface ByteLimits {
  /** Limit for all items together. */
  total: number;
  perOwner: number;
}

/** Items of one owner with their sizes in bytes, oldest first. */
interface Owned<Item> {
  bytes: number;
  items: Map<Item, number>;
}

export class ByteBudget<Item> {
  private readonly byOwner = new Map<string, Owned<Item>>();
  private readonly ownerOf = new Map<Item, string>();
  private sum = 0;

  /** @param drop called after an item was removed to free memory */
  constructor(
    readonly limits: ByteLimits,
    private readonly drop: (item: Item) => void,
  ) {}

  get total(): number {
    return this.sum;
  }

  bytesOf(owner: string): number {
    return this.byOwner.get(owner)?.bytes ?? 0;
  }

  has(item: Item): boolean {
    return this.ownerOf.has(item);
  }

  /** Adds bytes to an item. An item keeps its owner until it is removed. */
  add(item: Item, owner: string, bytes: number): void {
    const owned: Owned<Item> = this.byOwner.get(owner) ?? { bytes: 0, items: new Map() };
    owned.items.set(item, (owned.items.get(item) ?? 0) + bytes);
    owned.bytes += bytes;
    this.sum += bytes;
    this.byOwner.set(owner, owned);
    this.ownerOf.set(item, owner);
  }

  /** Removes an item from the count. Does nothing if the item is not counted. */
  remove(item: Item): void {
    const owner = this.ownerOf.get(item);
    if (owner === undefined) return;
    const owned = this.byOwner.get(owner)!;
    const bytes = owned.items.get(item)!;
    this.ownerOf.delete(item);
    owned.items.delete(item);
    owned.bytes -= bytes;
    this.sum -= bytes;
    if (owned.items.size === 0) this.byOwner.delete(owner);
  }

  /** Returns the owner with the most bytes. At least one item must be counted. */
  largestOwner(): string {
    let largest = "";
    let most = 0;
    for (const [owner, { bytes }] of this.byOwner) {
      if (bytes <= most) continue;
      largest = owner;
      most = bytes;
    }
    return largest;
  }

  /** Removes the owner's oldest item and drops it. */
  dropOldest(owner: string): void {
    const [oldest] = this.byOwner.get(owner)!.items.keys();
    this.remove(oldest!);
    this.drop(oldest!);
  }
}
