/**
 * Where inboxes end, as far as it is known without asking the database: most reads of an inbox find nothing new. Only where no other
 * daemon writes is that exact, as news of a new item then comes before its sender has an answer.
 */
import type { Engine } from "./engine.js";

export interface InboxEnd {
  /** Number of the last item; 0 where there is none. */
  readonly head: number;
  /** The stored checkpoint. */
  readonly checkpoint: number;
}

/** Stands for an end while it is being read. */
class Reading {}

/** Inboxes that are remembered: a few megabytes. */
const KEPT = 20_000;

export class InboxEnds {
  /** By handle, the last learnt last. */
  private readonly ends = new Map<number, InboxEnd | Reading>();
  private readonly isExact: boolean;

  constructor(engine: Pick<Engine, "hearsAtOnce" | "onNews">) {
    this.isExact = engine.hearsAtOnce;
    if (!this.isExact) return;
    engine.onNews((news) => {
      if (news === undefined) this.ends.clear();
      else if (news.topic !== "feed") this.ends.delete(news.handle);
    });
  }

  of(handle: number): InboxEnd | undefined {
    const end = this.ends.get(handle);
    return end instanceof Reading ? undefined : end;
  }

  /** To be called before an inbox is read. What it gives takes the end that was found, which counts unless news came meanwhile. */
  reading(handle: number): (end: InboxEnd) => void {
    if (!this.isExact) return () => undefined;
    const reading = new Reading();
    this.ends.delete(handle);
    this.ends.set(handle, reading);
    if (this.ends.size > KEPT) this.ends.delete(this.ends.keys().next().value!);
    return (end) => {
      if (this.ends.get(handle) === reading) this.ends.set(handle, end);
    };
  }

  /** The checkpoint has been moved, durably. */
  moved(handle: number, checkpoint: number): void {
    const end = this.of(handle);
    if (end && end.checkpoint < checkpoint) this.ends.set(handle, { head: end.head, checkpoint });
  }
}
