import { beforeAll, describe, expect, it } from "vitest";
import { expectOk, sendKnock, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { daemon } = await hostedFixture();
let senders: AgentClient[];

beforeAll(async () => {
  senders = await Promise.all(Array.from({ length: 10 }, (_, n) => daemon.createAgent(`sender-${n}`)));
});

/** Reads an inbox by cursor until `done` returns true. Returns every item in the order of the responses. */
async function follow(
  reader: AgentClient,
  limit: number,
  done: (seen: string[]) => boolean,
  start = "",
): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = start; !done(seen); ) {
    const page: Body = await expectOk(
      reader.get(`/inbox?limit=${limit}&wait=20${cursor && `&cursor=${cursor}`}`),
    );
    for (const wire of page.wires) seen.push(`wire ${wire.id}`);
    for (const item of page.knocks) seen.push(`knock ${item.id}`);
    for (const notice of page.tombstone_notices) seen.push(`notice ${notice.wire_id}`);
    if (page.next_cursor === cursor) break;
    cursor = page.next_cursor;
  }
  return seen;
}

describe("an inbox that is read by cursor during concurrent writes", () => {
  // [D5-nothing-skipped] [D5-never-twice]
  it("returns each of 50 concurrent wires once, with any page size", async () => {
    const reader = await daemon.createAgent("busy");
    // Without a cursor, a read would start at the checkpoint, which the other two reads move.
    const start: string = (await expectOk(reader.get("/inbox"))).next_cursor;
    const hasAll = (seen: string[]) => seen.length >= 50;
    const reading = [1, 7, 100].map((limit) => follow(reader, limit, hasAll, start));
    const sent = await Promise.all(Array.from({ length: 50 }, (_, n) => sendWire(senders[n % 10]!, "busy")));
    const ids = sent.map(({ id }) => `wire ${id}`).sort();
    const logs = await Promise.all(reading);
    for (const log of logs) expect([...log].sort()).toEqual(ids);
    expect(logs[1]).toEqual(logs[0]);
  });

  // [D5-nothing-skipped]
  it("returns a wire in the first read after the response to its sender, also after empty reads", async () => {
    const reader = await daemon.createAgent("quiet");
    let polling = true;
    const polls = Array.from({ length: 8 }, async () => {
      while (polling) await expectOk(reader.get("/inbox"));
    });
    let cursor = (await expectOk(reader.get("/inbox"))).next_cursor;
    for (let n = 0; n < 40; n++) {
      const { id } = await sendWire(senders[n % 10]!, "quiet");
      const page: Body = await expectOk(reader.get(`/inbox?cursor=${cursor}`));
      expect(page.wires.map((wire: Body) => wire.id)).toEqual([id]);
      cursor = page.next_cursor;
      expect((await expectOk(reader.get(`/inbox?cursor=${cursor}`))).wires).toEqual([]);
    }
    polling = false;
    await Promise.all(polls);
  });

  // [D5-nothing-skipped] [D5-one-log]
  it("skips no wire, knock or removal", async () => {
    const reader = await daemon.createAgent("mixed");
    const reading = follow(reader, 3, (seen) => seen.length >= 90);
    const work = senders.map(async (sender) => {
      const items: string[] = [];
      for (let n = 0; n < 4; n++) {
        const { id } = await sendWire(sender, "mixed");
        items.push(`wire ${id}`, `notice ${id}`);
        await expectOk(sender.delete(`/wires/${id}`));
      }
      return [...items, `knock ${await sendKnock(sender, "mixed")}`];
    });
    const items = (await Promise.all(work)).flat();
    expect((await reading).sort()).toEqual(items.sort());
  });

  // [D5-one-log]
  it("returns the removal of a wire after the wire", async () => {
    const reader = await daemon.createAgent("ordered");
    await Promise.all(
      senders.map(async (sender) => {
        const { id } = await sendWire(sender, "ordered");
        await expectOk(sender.delete(`/wires/${id}`));
      }),
    );
    const seen = await follow(reader, 1, (items) => items.length >= 20);
    for (const item of seen.filter((entry) => entry.startsWith("wire"))) {
      expect(seen.indexOf(item.replace("wire", "notice"))).toBeGreaterThan(seen.indexOf(item));
    }
  });

  // [D5-checkpoint-forward]
  it("stores the highest of several concurrent cursors as the checkpoint", async () => {
    const reader = await daemon.createAgent("checkpoints");
    await Promise.all(Array.from({ length: 60 }, (_, n) => sendWire(senders[n % 10]!, "checkpoints")));
    const cursors: string[] = [];
    for (let limit = 1; limit <= 60; limit++) {
      cursors.push((await expectOk(reader.get(`/inbox?limit=${limit}`))).next_cursor);
    }
    while (cursors.length > 0) {
      const [first, second, furthest] = cursors.splice(0, 3);
      const presented = [furthest, second, first].map((cursor) => reader.get(`/inbox?cursor=${cursor}`));
      for (const reply of presented) await expectOk(reply);
      expect((await expectOk(reader.get("/inbox"))).wires).toHaveLength(Math.min(cursors.length, 50));
    }
  });
});
