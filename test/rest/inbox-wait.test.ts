import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { AgentClient, Body } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { knock, ok, refused, send } from "../harness/talk.js";

const { daemon, alice } = await fileDaemon(["alice"]);
let readers = 0;

const newReader = () => daemon.agent(`waiter-${readers++}`);

interface Timed {
  body: Body;
  milliseconds: number;
}

/** A read that may be held, and how long it was. */
async function timed(reader: AgentClient, query: string): Promise<Timed> {
  const started = performance.now();
  const body = await ok(reader.get(`/inbox?${query}`));
  return { body, milliseconds: performance.now() - started };
}

/** Long enough for a request to be held for sure, short against what it would wait. */
const HELD = 300;

describe("GET /inbox with wait", () => {
  it("is held for its seconds where nothing comes, then answers empty [D5-wait]", async () => {
    const { body, milliseconds } = await timed(await newReader(), "wait=1");
    expect(body).toMatchObject({ wires: [], knocks: [], tombstone_notices: [] });
    expect(milliseconds).toBeGreaterThanOrEqual(1_000);
    expect(milliseconds).toBeLessThan(4_000);
  });

  it("is not held where something is new, nor with wait=0 [D5-wait]", async () => {
    const reader = await newReader();
    expect((await timed(reader, "wait=0")).milliseconds).toBeLessThan(3_000);
    await send(alice, reader.slug);
    const { body, milliseconds } = await timed(reader, "wait=30");
    expect(body.wires).toHaveLength(1);
    expect(milliseconds).toBeLessThan(5_000);
  });

  it.each<[string, (reader: AgentClient) => Promise<unknown>, string]>([
    ["a wire", (reader) => send(alice, reader.slug), "wires"],
    ["a knock", (reader) => knock(alice, reader.slug), "knocks"],
  ])("is answered at once when %s arrives [D5-wait]", async (_what, act, list) => {
    const reader = await newReader();
    const held = timed(reader, "wait=30");
    await sleep(HELD);
    await act(reader);
    const { body, milliseconds } = await held;
    expect(body[list]).toHaveLength(1);
    expect(milliseconds).toBeGreaterThanOrEqual(HELD);
    expect(milliseconds).toBeLessThan(5_000);
  });

  it("is answered at once when a wire is removed [D5-wait]", async () => {
    const reader = await newReader();
    const sent = await send(alice, reader.slug);
    const { next_cursor } = await ok(reader.get("/inbox"));
    const held = timed(reader, `wait=30&cursor=${next_cursor}`);
    await sleep(HELD);
    await ok(alice.delete(`/wires/${sent.id}`));
    const { body, milliseconds } = await held;
    expect(body.tombstone_notices).toEqual([expect.objectContaining({ wire_id: sent.id })]);
    expect(milliseconds).toBeLessThan(5_000);
  });

  it("is not woken by what is for others, nor by its own sending [D5-wait]", async () => {
    const [reader, other] = [await newReader(), await newReader()];
    const held = timed(reader, "wait=1");
    await sleep(HELD);
    await send(alice, other.slug);
    await send(reader, other.slug);
    const { body, milliseconds } = await held;
    expect(body.wires).toEqual([]);
    expect(milliseconds).toBeGreaterThanOrEqual(1_000);
  });

  it("moves the checkpoint as it is presented, not when it is answered [D5-wait] [D5-checkpoint-forward]", async () => {
    const reader = await newReader();
    await send(alice, reader.slug);
    const { next_cursor } = await ok(reader.get("/inbox"));
    const held = timed(reader, `wait=2&cursor=${next_cursor}`);
    await sleep(HELD);
    expect((await ok(reader.get("/inbox"))).wires).toEqual([]);
    await held;
  });

  it("is answered for every one that waits on the inbox [D5-wait]", async () => {
    const reader = await newReader();
    const held = Array.from({ length: 20 }, () => timed(reader, "wait=30"));
    await sleep(HELD);
    await send(alice, reader.slug);
    for (const { body, milliseconds } of await Promise.all(held)) {
      expect(body.wires).toHaveLength(1);
      expect(milliseconds).toBeLessThan(5_000);
    }
  });

  it("misses nothing that arrives while it begins to wait [D5-wait] [D5-nothing-skipped]", async () => {
    const reader = await newReader();
    let cursor = "";
    for (let round = 0; round < 30; round++) {
      const [held] = await Promise.all([
        timed(reader, `wait=20${cursor && `&cursor=${cursor}`}`),
        send(alice, reader.slug, { text: `${round}` }),
      ]);
      expect(held.body.wires.map((wire: { text_body: string }) => wire.text_body)).toEqual([`${round}`]);
      expect(held.milliseconds).toBeLessThan(5_000);
      cursor = held.body.next_cursor;
    }
  });

  it("gives what a later reading gives: bursts, small pages, wires between knocks, removed ones [D5-wait] [D5-nothing-skipped]", async () => {
    const [reader, bob] = [await newReader(), await newReader()];
    const start = (await ok(reader.get("/inbox"))).next_cursor as string;
    const burst = (round: number): Promise<unknown>[] => [
      send(alice, reader.slug, { text: `${round} "ä\u{1f600}\\`, payload: { n: [1.5, null, "\n"] } }),
      send(bob, reader.slug, { text: `${round}` }),
      ...(round % 3 === 1
        ? [daemon.agent(`${reader.slug}-${round}`).then((it) => knock(it, reader.slug))]
        : []),
      ...(round % 3 === 2
        ? [send(alice, reader.slug).then(({ id }) => ok(alice.delete(`/wires/${id}`)))]
        : [send(alice, reader.slug, { text: "x".repeat(8_000) })]),
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
      const page = await ok(reader.get(`/inbox?cursor=${cursor}&wait=1&limit=${turn % 2 === 0 ? 1 : 50}`));
      if (isOver && page.next_cursor === cursor) break;
      pages.push(page);
      cursor = page.next_cursor;
    }
    await ended;

    const all = await ok(reader.get(`/inbox?cursor=${start}&limit=100`));
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

  it("gives a wire that was removed meanwhile as removed, to whoever reads it again [D5-wait] [D5-tombstone-empties]", async () => {
    const reader = await newReader();
    const held = timed(reader, "wait=30");
    await sleep(HELD);
    const { id } = await send(alice, reader.slug, { text: "secret" });
    expect((await held).body.wires).toMatchObject([{ id, text_body: "secret" }]);
    await ok(alice.delete(`/wires/${id}`));
    const { wires, tombstone_notices } = await ok(reader.get("/inbox?wait=1"));
    expect(wires).toMatchObject([{ id, text_body: null, tombstone: { removed_by: "sender" } }]);
    expect(tombstone_notices).toHaveLength(1);
  });

  it("is let go when its client goes away [D5-wait]", async () => {
    const held = async () => {
      const text = await (await fetch(`${daemon.origin}/metrics`)).text();
      return Number(/^wireroom_long_polls(?:\{.*\})? (\d+)$/m.exec(text)?.[1]);
    };
    const reader = await newReader();
    const client = new AbortController();
    const headers = { authorization: `Bearer ${reader.key}` };
    const reading = fetch(`${daemon.base}/inbox?wait=60`, { headers, signal: client.signal });
    await expect.poll(held).toBe(1);
    client.abort();
    await expect(reading).rejects.toThrow("abort");
    await expect.poll(held).toBe(0);
    await send(alice, reader.slug);
    expect((await ok(reader.get("/inbox"))).wires).toHaveLength(1);
  });

  it("needs a key that is in force [D5-wait]", async () => {
    await refused(daemon.client().get("/inbox?wait=60"), "UNAUTHORIZED");
  });

  it("is answered 200 at once when the daemon stops, and reading goes on after the restart [D5-wait-stop]", async () => {
    const reader = await newReader();
    const { next_cursor } = await ok(reader.get("/inbox"));
    const held = Array.from({ length: 10 }, () => timed(reader, "wait=60"));
    await sleep(HELD);
    const stopped = performance.now();
    const restarted = daemon.restart();
    for (const { body } of await Promise.all(held)) {
      expect(body).toEqual({ wires: [], knocks: [], tombstone_notices: [], next_cursor });
    }
    expect(performance.now() - stopped).toBeLessThan(5_000);
    await restarted;
    await send(alice, reader.slug);
    expect((await ok(reader.get(`/inbox?cursor=${next_cursor}`))).wires).toHaveLength(1);
  });
});
