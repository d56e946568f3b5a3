/**
 * A cache of where inboxes end: most reads of an inbox find nothing new, and a long-poll gets the wire that has just come. It holds the
 * last number, the checkpoint, and wires that came while a long-poll waited. Events of the inbox and of the handle's standing
 * invalidate it. It cannot be stale where this process alone writes, as the event comes before the answer of the write; on
 * PostgreSQL it stays empty.
 */
import type { Engine } from "../engine/engine.js";
import type { HandleEvent, InboxNotifier } from "../engine/events.js";

export interface InboxEnd {
  /** Number of the last item; 0 where there is none. */
  readonly head: number;
  /** The stored checkpoint. */
  readonly checkpoint: number;
  /** The last items, in their order, where all of them are wires that came while somebody waited: each as JSON. */
  readonly wires: readonly string[];
}

/** Stands for an end while it is being read. */
class Reading {}

/** Inboxes that are remembered: a few megabytes. */
const KEPT = 20_000;
/** Wires that are remembered of one inbox: a page of them. */
const KEPT_WIRES = 100;
/** Characters of wires that are remembered, of one inbox and of all. */
const KEPT_OF_INBOX = 128 * 1024;
const KEPT_OF_ALL = 16 * 1024 * 1024;

export class InboxEnds {
  /** By handle, the last learnt last. */
  private readonly ends = new Map<number, InboxEnd | Reading>();
  private readonly isExact: boolean;
  /** Characters of all remembered wires. */
  private size = 0;

  constructor(
    engine: Pick<Engine, "isSoleWriter" | "subscribe">,
    private readonly notifier: Pick<InboxNotifier, "isAwaited">,
  ) {
    this.isExact = engine.isSoleWriter;
    if (this.isExact) engine.subscribe(["inbox", "standing"], (event) => this.update(event));
  }

  of(handle: number): InboxEnd | undefined {
    const end = this.ends.get(handle);
    return end instanceof Reading ? undefined : end;
  }

  /** Call before reading an inbox. Returns the function that takes the end that was read; it is dropped if an event came meanwhile. */
  reading(handle: number): (end: InboxEnd) => void {
    if (!this.isExact) return () => undefined;
    const reading = new Reading();
    this.forget(handle);
    this.ends.set(handle, reading);
    if (this.ends.size > KEPT) this.forget(this.ends.keys().next().value!);
    return (end) => {
      if (this.ends.get(handle) === reading) this.put(handle, end);
    };
  }

  /** The checkpoint has been moved, durably. What is before it is no longer asked for, as a rule. */
  moved(handle: number, checkpoint: number): void {
    const end = this.of(handle);
    if (!end || end.checkpoint >= checkpoint) return;
    const unread = Math.max(end.head - checkpoint, 0);
    const wires = unread < end.wires.length ? end.wires.slice(end.wires.length - unread) : end.wires;
    this.put(handle, { head: end.head, checkpoint, wires });
  }

  private update(event: HandleEvent | undefined): void {
    if (event === undefined) {
      this.ends.clear();
      this.size = 0;
      return;
    }
    const end = this.of(event.handle);
    const longer = end && event.wire && this.longer(event.handle, end, event.wire);
    if (longer) this.put(event.handle, longer);
    else this.forget(event.handle);
  }

  /** The end with one more wire, where somebody waits for it and there is room. */
  private longer(
    handle: number,
    { head, checkpoint, wires }: InboxEnd,
    { seq, doc }: { seq: number; doc: string },
  ): InboxEnd | undefined {
    if (seq !== head + 1 || (wires.length === 0 && !this.notifier.isAwaited(handle))) return undefined;
    if (wires.length >= KEPT_WIRES) return undefined;
    if (this.size + doc.length > KEPT_OF_ALL || sizeOf(wires) + doc.length > KEPT_OF_INBOX) return undefined;
    return { head: seq, checkpoint, wires: [...wires, doc] };
  }

  private put(handle: number, end: InboxEnd): void {
    this.size += sizeOf(end.wires) - sizeOf(this.of(handle)?.wires);
    this.ends.set(handle, end);
  }

  private forget(handle: number): void {
    this.size -= sizeOf(this.of(handle)?.wires);
    this.ends.delete(handle);
  }
}

function sizeOf(wires: readonly string[] = []): number {
  let size = 0;
  for (const wire of wires) size += wire.length;
  return size;
}
