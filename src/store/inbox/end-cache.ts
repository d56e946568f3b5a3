/**
 * An in-memory cache of the end of each inbox: the last sequence number, the checkpoint, and wires that
 * arrived during a long poll. With the cache, a read that finds no new items needs no query, and a long poll
 * that receives the next wire needs none either.
 *
 * Events of a handle update or delete the handle's entry. While this process is the only writer, no entry is
 * stale, because a write's event comes before the write's response. On PostgreSQL, the cache is disabled.
 */
import { HOUR, now } from "../../kernel/clock.js";
import type { Engine } from "../engine/engine.js";
import type { HandleEvent } from "../engine/events.js";
import type { Notifier } from "../engine/notifier.js";

export interface InboxEnd {
  /** Sequence number of the last item; 0 if the inbox is empty. */
  readonly head: number;
  readonly checkpoint: number;
  /**
   * The JSON of the inbox's last wires, oldest first. The list contains only wires that arrived during a long
   * poll.
   */
  readonly wires: readonly string[];
  /** The time at which the first cached wire arrived. */
  readonly since: number;
}

class Loading {}

/** Maximum number of cached inboxes. An entry without wires is small. */
const MAX_INBOXES = 20_000;
/** Maximum age of cached wires. Retention periods are longer, so retention hides no cached wire. */
const MAX_WIRE_AGE_MS = HOUR;
/** Maximum number of cached wires per inbox, which is one page. */
const MAX_WIRES_PER_INBOX = 100;
/**
 * Maximum total JSON length of the cached wires in one inbox. The second limit applies to all inboxes
 * together.
 */
const MAX_LENGTH_PER_INBOX = 128 * 1024;
const MAX_TOTAL_LENGTH = 16 * 1024 * 1024;

export class InboxEndCache {
  /** Maps each handle to the cached end of its inbox. The most recently loaded entry is last. */
  private readonly ends = new Map<number, InboxEnd | Loading>();
  private readonly isEnabled: boolean;
  private totalLength = 0;

  constructor(
    engine: Pick<Engine, "isSoleWriter" | "subscribe">,
    private readonly notifier: Pick<Notifier, "hasInboxWaiter">,
  ) {
    this.isEnabled = engine.isSoleWriter;
    if (this.isEnabled) engine.subscribe(["inbox", "status"], (event) => this.update(event));
  }

  get(handle: number): InboxEnd | undefined {
    const end = this.ends.get(handle);
    if (end === undefined || end instanceof Loading) return undefined;
    if (end.wires.length === 0 || now() - end.since < MAX_WIRE_AGE_MS) return end;
    this.remove(handle);
    return undefined;
  }

  /**
   * Must be called before an inbox is read. Returns a function that stores the end of the inbox in the cache,
   * unless an event of this inbox arrived during the read.
   */
  beginLoad(handle: number): (end: InboxEnd) => void {
    if (!this.isEnabled) return () => undefined;
    const loading = new Loading();
    this.remove(handle);
    this.ends.set(handle, loading);
    if (this.ends.size > MAX_INBOXES) this.remove(this.ends.keys().next().value!);
    return (end) => {
      if (this.ends.get(handle) === loading) this.put(handle, end);
    };
  }

  /** Drops the cached wires up to a new checkpoint. Must be called after the checkpoint is committed. */
  updateCheckpoint(handle: number, checkpoint: number): void {
    const end = this.get(handle);
    if (!end || end.checkpoint >= checkpoint) return;
    const unread = Math.max(end.head - checkpoint, 0);
    const wires = unread < end.wires.length ? end.wires.slice(end.wires.length - unread) : end.wires;
    this.put(handle, { ...end, checkpoint, wires });
  }

  private update(event: HandleEvent | undefined): void {
    if (event === undefined) {
      this.ends.clear();
      this.totalLength = 0;
      return;
    }
    const end = this.get(event.handle);
    const extended = end && event.wire && this.withWire(event.handle, end, event.wire);
    if (extended) this.put(event.handle, extended);
    else this.remove(event.handle);
  }

  /**
   * Returns the cached end of an inbox with one more wire. Returns undefined if no long poll is waiting for
   * the inbox, or if a cache limit is reached.
   */
  private withWire(
    handle: number,
    { head, checkpoint, wires, since }: InboxEnd,
    { seq, doc }: { seq: number; doc: string },
  ): InboxEnd | undefined {
    if (seq !== head + 1 || (wires.length === 0 && !this.notifier.hasInboxWaiter(handle))) return undefined;
    if (wires.length >= MAX_WIRES_PER_INBOX) return undefined;
    if (
      this.totalLength + doc.length > MAX_TOTAL_LENGTH ||
      lengthOf(wires) + doc.length > MAX_LENGTH_PER_INBOX
    )
      return undefined;
    return { head: seq, checkpoint, wires: [...wires, doc], since: wires.length === 0 ? now() : since };
  }

  private put(handle: number, end: InboxEnd): void {
    this.totalLength += lengthOf(end.wires) - lengthOf(this.wiresOf(handle));
    this.ends.set(handle, end);
  }

  private wiresOf(handle: number): readonly string[] {
    const end = this.ends.get(handle);
    return end === undefined || end instanceof Loading ? [] : end.wires;
  }

  private remove(handle: number): void {
    this.totalLength -= lengthOf(this.wiresOf(handle));
    this.ends.delete(handle);
  }
}

function lengthOf(wires: readonly string[]): number {
  let length = 0;
  for (const wire of wires) length += wire.length;
  return length;
}
