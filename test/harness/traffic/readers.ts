/** Clients that read an inbox or the feed of a space from several daemons. */
import type { Body } from "../daemon.js";
import type { FailoverClient } from "./failover-client.js";

/** Reads an inbox by cursors. After a failed request, the same cursor is used again. */
export class InboxReader {
  /** The wires that were read so far, in order. */
  readonly received: { id: string; text: string }[] = [];

  constructor(
    private readonly client: FailoverClient,
    private cursor: string,
    private readonly limit: number,
  ) {}

  /**
   * Reads one page.
   *
   * @param waitSeconds how long the request may wait for new wires
   * @returns the number of wires on the page; `undefined` if the request failed
   */
  async readPage(waitSeconds: number): Promise<number | undefined> {
    const path = `/inbox?limit=${this.limit}&wait=${waitSeconds}&cursor=${encodeURIComponent(this.cursor)}`;
    const response = await this.client.request("GET", path);
    if (!response) return undefined;
    const wires = response.body.wires as Body[];
    for (const { id, text_body } of wires) this.received.push({ id, text: text_body });
    this.cursor = response.body.next_cursor;
    return wires.length;
  }

  /** Reads pages until one is empty. */
  async readToEnd(): Promise<void> {
    while ((await this.readPage(0)) !== 0);
  }
}

/** Reads the complete feed of a space, newest wire first. Returns `undefined` if a request failed. */
export async function readFeed(
  client: FailoverClient,
  space: string,
): Promise<{ id: string; text: string }[] | undefined> {
  const wires: { id: string; text: string }[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await client.request(
      "GET",
      `/spaces/${space}/wires?limit=30${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    if (!page) return undefined;
    for (const { id, text_body } of page.body.wires as Body[]) wires.push({ id, text: text_body });
    cursor = page.body.next_cursor as string | null;
  }
  return wires;
}
