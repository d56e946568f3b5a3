import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { expectOk, expectRefused, NO_ITEMS, sendKnock, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { countHeld, hold } from "../harness/held-requests.js";

const { daemon, alice } = await hostedFixture(["alice"]);
let readers = 0;

const newReader = () => daemon.createAgent(`waiter-${readers++}`);

interface Timed {
  body: Body;
  milliseconds: number;
}

/** Reads the inbox, and measures the duration in milliseconds. */
async function timed(reader: AgentClient, query: string): Promise<Timed> {
  const started = performance.now();
  const body = await expectOk(reader.get(`/inbox?${query}`));
  return { body, milliseconds: performance.now() - started };
}

/** Milliseconds after which a long-poll has certainly started waiting; much shorter than its `wait`. */
const HELD = 300;

describe("a long-poll: GET /inbox with wait", () => {
  // [D5-wait]
  it("returns an empty page after its wait if no item arrives", async () => {
    const { body, milliseconds } = await timed(await newReader(), "wait=1");
    expect(body).toMatchObject({ ...NO_ITEMS });
    expect(milliseconds).toBeGreaterThanOrEqual(1_000);
    expect(milliseconds).toBeLessThan(4_000);
  });

  // [D5-wait]
  it("returns at once if there are new items or with wait=0", async () => {
    const reader = await newReader();
    expect((await timed(reader, "wait=0")).milliseconds).toBeLessThan(3_000);
    await sendWire(alice, reader.slug);
    const { body, milliseconds } = await timed(reader, "wait=30");
    expect(body.wires).toHaveLength(1);
    expect(milliseconds).toBeLessThan(5_000);
  });

  // [D5-wait]
  it.each<[string, (reader: AgentClient) => Promise<unknown>, string]>([
    ["a wire", (reader) => sendWire(alice, reader.slug), "wires"],
    ["a knock", (reader) => sendKnock(alice, reader.slug), "knocks"],
  ])("returns at once when %s arrives", async (_what, act, list) => {
    const reader = await newReader();
    const held = timed(reader, "wait=30");
    await sleep(HELD);
    await act(reader);
    const { body, milliseconds } = await held;
    expect(body[list]).toHaveLength(1);
    expect(milliseconds).toBeGreaterThanOrEqual(HELD);
    expect(milliseconds).toBeLessThan(5_000);
  });

  // [D5-wait]
  it("returns at once when a wire is removed", async () => {
    const reader = await newReader();
    const sent = await sendWire(alice, reader.slug);
    const { next_cursor } = await expectOk(reader.get("/inbox"));
    const held = timed(reader, `wait=30&cursor=${next_cursor}`);
    await sleep(HELD);
    await expectOk(alice.delete(`/wires/${sent.id}`));
    const { body, milliseconds } = await held;
    expect(body.tombstone_notices).toEqual([expect.objectContaining({ wire_id: sent.id })]);
    expect(milliseconds).toBeLessThan(5_000);
  });

  // [D5-wait]
  it("does not return for items of others or for wires that the reader sends", async () => {
    const [reader, other] = [await newReader(), await newReader()];
    const held = timed(reader, "wait=1");
    await sleep(HELD);
    await sendWire(alice, other.slug);
    await sendWire(reader, other.slug);
    const { body, milliseconds } = await held;
    expect(body.wires).toEqual([]);
    expect(milliseconds).toBeGreaterThanOrEqual(1_000);
  });

  // [D5-wait] [D5-checkpoint-forward]
  it("moves the checkpoint when the request arrives, not when it is answered", async () => {
    const reader = await newReader();
    await sendWire(alice, reader.slug);
    const { next_cursor } = await expectOk(reader.get("/inbox"));
    const held = await hold(daemon, () => reader.get(`/inbox?wait=30&cursor=${next_cursor}`));
    expect((await expectOk(reader.get("/inbox"))).wires).toEqual([]);
    await sendWire(alice, reader.slug);
    await expectOk(held());
  });

  // [D5-wait]
  it("returns for every request that waits on the same inbox", async () => {
    const reader = await newReader();
    const held = Array.from({ length: 20 }, () => timed(reader, "wait=30"));
    await sleep(HELD);
    await sendWire(alice, reader.slug);
    for (const { body, milliseconds } of await Promise.all(held)) {
      expect(body.wires).toHaveLength(1);
      expect(milliseconds).toBeLessThan(5_000);
    }
  });

  // [D5-wait] [D5-nothing-skipped]
  it("misses no item that arrives while it starts to wait", async () => {
    const reader = await newReader();
    let cursor = "";
    for (let round = 0; round < 30; round++) {
      const [held] = await Promise.all([
        timed(reader, `wait=20${cursor && `&cursor=${cursor}`}`),
        sendWire(alice, reader.slug, { text: `${round}` }),
      ]);
      expect(held.body.wires.map((wire: { text_body: string }) => wire.text_body)).toEqual([`${round}`]);
      expect(held.milliseconds).toBeLessThan(5_000);
      cursor = held.body.next_cursor;
    }
  });

  // [D5-wait] [D5-nothing-skipped]
  it("returns the same items as later reads: bursts, small pages, mixed items and tombstones", async () => {
    const [reader, bob] = [await newReader(), await newReader()];
    const start = (await expectOk(reader.get("/inbox"))).next_cursor as string;
    const burst = (round: number): Promise<unknown>[] => [
      sendWire(alice, reader.slug, { text: `${round} "ä\u{1f600}\\`, payload: { n: [1.5, null, "\n"] } }),
      sendWire(bob, reader.slug, { text: `${round}` }),
      ...(round % 3 === 1
        ? [daemon.createAgent(`${reader.slug}-${round}`).then((it) => sendKnock(it, reader.slug))]
        : []),
      ...(round % 3 === 2
        ? [sendWire(alice, reader.slug).then(({ id }) => expectOk(alice.delete(`/wires/${id}`)))]
        : [sendWire(alice, reader.slug, { text: "x".repeat(8_000) })]),
    ];
    const pages: Body[] = [];
    const ended = Promise.all(
      [0, 1, 2, 3, 4, 5].map((round) => sleep(round * 60).then(() => Promise.all(burst(round)))),
    );
    let isOver = false;
    ended.finally(() => {
      isOver = true;
    });
    for (let cursor = start, turn = 0; ; turn++) {
      const wasOver = isOver;
      const page = await expectOk(
        reader.get(`/inbox?cursor=${cursor}&wait=1&limit=${turn % 2 === 0 ? 1 : 50}`),
      );
      if (wasOver && page.next_cursor === cursor) break;
      pages.push(page);
      cursor = page.next_cursor;
    }
    await ended;

    const all = await expectOk(reader.get(`/inbox?cursor=${start}&limit=100`));
    const gotten = pages.flatMap(({ wires }) => wires as Body[]);
    const removed = new Set(all.tombstone_notices.map(({ wire_id }: Body) => wire_id));
    expect(removed.size).toBe(2);
    expect(all.knocks).toHaveLength(2);
    expect(gotten.map(({ id }) => id)).toEqual(all.wires.map(({ id }: Body) => id));
    expect(gotten.filter(({ id }) => !removed.has(id))).toEqual(
      all.wires.filter(({ id }: Body) => !removed.has(id)),
    );
    expect(pages.flatMap(({ knocks }) => knocks)).toEqual(all.knocks);
    expect(pages.flatMap(({ tombstone_notices }) => tombstone_notices)).toEqual(all.tombstone_notices);
  });

  // [D5-wait] [D5-tombstone-empties]
  it("returns a wire that was removed meanwhile as a tombstone, also in later reads", async () => {
    const reader = await newReader();
    const held = timed(reader, "wait=30");
    await sleep(HELD);
    const { id } = await sendWire(alice, reader.slug, { text: "secret" });
    expect((await held).body.wires).toMatchObject([{ id, text_body: "secret" }]);
    await expectOk(alice.delete(`/wires/${id}`));
    const { wires, tombstone_notices } = await expectOk(reader.get("/inbox?wait=1"));
    expect(wires).toMatchObject([{ id, text_body: null, tombstone: { removed_by: "sender" } }]);
    expect(tombstone_notices).toHaveLength(1);
  });

  // [D5-wait]
  it("ends when its client disconnects", async () => {
    const reader = await newReader();
    const client = new AbortController();
    const headers = { authorization: `Bearer ${reader.key}` };
    const reading = fetch(`${daemon.base}/inbox?wait=60`, { headers, signal: client.signal });
    await expect.poll(() => countHeld(daemon)).toBe(1);
    client.abort();
    await expect(reading).rejects.toThrow("abort");
    await expect.poll(() => countHeld(daemon)).toBe(0);
    await sendWire(alice, reader.slug);
    expect((await expectOk(reader.get("/inbox"))).wires).toHaveLength(1);
  });

  // [D5-wait]
  it("returns 401 if its key is revoked", async () => {
    await expectRefused(daemon.client().get("/inbox?wait=60"), "UNAUTHORIZED");
  });

  // [D5-wait-stop]
  it("returns 200 at once when the daemon stops, and reading continues after the restart", async () => {
    const reader = await newReader();
    const { next_cursor } = await expectOk(reader.get("/inbox"));
    const held = Array.from({ length: 10 }, () => timed(reader, "wait=60"));
    await expect.poll(() => countHeld(daemon)).toBe(10);
    const stopped = performance.now();
    const restarted = daemon.restart();
    for (const { body } of await Promise.all(held)) {
      expect(body).toEqual({ ...NO_ITEMS, next_cursor });
    }
    expect(performance.now() - stopped).toBeLessThan(5_000);
    await restarted;
    await sendWire(alice, reader.slug);
    expect((await expectOk(reader.get(`/inbox?cursor=${next_cursor}`))).wires).toHaveLength(1);
  });
});
