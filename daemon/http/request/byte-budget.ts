/** Counts the bytes that requests or responses keep in memory, by owner. */

export interface ByteLimits {
  /** Limit for all items together. */
  total: number;
  perOwner: number;
}

/** The items of one owner, oldest first, with their bytes. */
interface Owned<Item> {
  bytes: number;
  items: Map<Item, number>;
}

export class ByteBudget<Item> {
  private readonly byOwner = new Map<string, Owned<Item>>();
  private readonly ownerOf = new Map<Item, string>();
  private sum = 0;

  /** @param drop called for an item that was removed to free its memory */
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

  /** Counts more bytes of an item. An item has one owner until it is removed. */
  add(item: Item, owner: string, bytes: number): void {
    const owned: Owned<Item> = this.byOwner.get(owner) ?? { bytes: 0, items: new Map() };
    owned.items.set(item, (owned.items.get(item) ?? 0) + bytes);
    owned.bytes += bytes;
    this.sum += bytes;
    this.byOwner.set(owner, owned);
    this.ownerOf.set(item, owner);
  }

  /** Stops counting an item. Does nothing if it is not counted. */
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

  /** Returns the owner with the most bytes. There must be at least one. */
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

  /** Drops the oldest item of an owner. */
  dropOldest(owner: string): void {
    const [oldest] = this.byOwner.get(owner)!.items.keys();
    this.remove(oldest!);
    this.drop(oldest!);
  }
}
