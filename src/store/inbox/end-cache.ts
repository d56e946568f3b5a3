/**
 * Caches each inbox's last sequence number, its checkpoint, and the wires that arrived during a long poll. So
 * a read without new items, or a long poll that receives the next wire, needs no query. Every inbox event
 * updates or drops the inbox's entry, so no entry is stale. On PostgreSQL, where other daemons write too, the
 * cache is disabled.
 */
import { HOUR, now } from "../../kernel/clock.js";
import type { Engine } from "../engine/engine.js";
import type { HandleEvent } from "../engine/events.js";
import type { Notifier } from "../engine/notifier.js";

export interface InboxEnd {
  /** Sequence number of the last item; 0 if there is none. */
  readonly head: number;
  readonly checkpoint: number;
  /** The inbox's last wires as JSON, oldest first. Only wires that arrived during a long poll are cached. */
  readonly wires: readonly string[];
  /** When the first cached wire arrived. */
  readonly since: number;
}

class Loading {}

const MAX_INBOXES = 20_000;
/** Shorter than any retention period, so retention never hides a cached wire. */
const MAX_WIRE_AGE_MS = HOUR;
/** One page. */
const MAX_WIRES_PER_INBOX = 100;
/** Limits of the cached wires' JSON length, per inbox and for all inboxes together. */
const MAX_LENGTH_PER_INBOX = 128 * 1024;
const MAX_TOTAL_LENGTH = 16 * 1024 * 1024;

export class InboxEndCache {
  /** The most recently loaded inbox is last. */
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
   * Must be called before an inbox is read. The returned function caches the result, unless the inbox has
   * changed during the read.
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

  /** Call it after the new checkpoint is committed. */
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

  /** Returns undefined if no long poll waits for the inbox, or if a limit of the cache is reached. */
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
