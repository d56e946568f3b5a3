import type { Body } from "../daemon.js";
import type { Asker } from "./ask.js";

/** A reader of an inbox that presents cursors, and asks again where there was no answer. */
export class InboxReader {
  /** What it was given, in order. */
  readonly seen: { id: string; text: string }[] = [];

  constructor(
    private readonly asker: Asker,
    private cursor: string,
    private readonly limit: number,
  ) {}

  /** One page. @returns how many items it had, `undefined` where there was no answer. */
  async pull(wait: number): Promise<number | undefined> {
    const path = `/inbox?limit=${this.limit}&wait=${wait}&cursor=${encodeURIComponent(this.cursor)}`;
    const answer = await this.asker.ask("GET", path);
    if (!answer) return undefined;
    const wires = answer.body.wires as Body[];
    for (const { id, text_body } of wires) this.seen.push({ id, text: text_body });
    this.cursor = answer.body.next_cursor;
    return wires.length;
  }

  /** Reads on until there is nothing more. */
  async toTheEnd(): Promise<void> {
    while ((await this.pull(0)) !== 0);
  }
}

/** A space's feed, newest first. `undefined` where a page had no answer. */
export async function readFeed(
  asker: Asker,
  space: string,
): Promise<{ id: string; text: string }[] | undefined> {
  const found: { id: string; text: string }[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await asker.ask(
      "GET",
      `/spaces/${space}/wires?limit=30${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    if (!page) return undefined;
    for (const { id, text_body } of page.body.wires as Body[]) found.push({ id, text: text_body });
    cursor = page.body.next_cursor as string | null;
  }
  return found;
}
