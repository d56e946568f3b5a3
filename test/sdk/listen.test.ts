/** `inbox.listen`: each item once, in order, whatever happens to the daemon and to the loop. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ConnectionError, type InboxItem, UnauthorizedError, Wireroom } from "../../sdk/src/index.js";
import { NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { type Fault, type FaultProxy, startFaultProxy } from "../harness/fault-proxy.js";
import { envelope, mockService } from "../harness/mock-service.js";
import { type SdkAgent, sdkAgent, sdkHuman } from "../harness/sdk.js";

let daemon: TestDaemon;
let proxy: FaultProxy;
let sender: SdkAgent;

beforeAll(async () => {
  daemon = await startDaemon({ args: NO_LIMITS });
  proxy = await startFaultProxy(() => daemon.origin);
  sender = await sdkAgent(daemon, "sender");
});

afterEach(() => {
  proxy.seen.length = 0;
  proxy.always(() => "pass");
});

afterAll(async () => {
  await proxy.close();
  await daemon.stop();
});

let readers = 0;

/** A handle that nothing was sent to yet. @param baseUrl the daemon's unless given */
async function newReader(baseUrl = daemon.base): Promise<SdkAgent> {
  return sdkAgent(daemon, `reader-${++readers}`, { baseUrl, timeout: 1_000 });
}

async function send(to: SdkAgent, ...texts: string[]): Promise<void> {
  for (const text of texts) await sender.wr.wires.send({ to: to.slug, text });
}

const textOf = (item: InboxItem) => (item.kind === "wire" ? item.wire.text_body : item.kind);

/** Texts that the service would serve again. */
async function unacknowledged({ key }: SdkAgent): Promise<unknown[]> {
  const wr = new Wireroom({ apiKey: key, baseUrl: daemon.base });
  return (await wr.inbox.read({ limit: 100 })).wires.map((wire) => wire.text_body);
}

/** Listens until `count` items were finished. */
async function take(reader: SdkAgent, count: number, pageSize?: number): Promise<unknown[]> {
  const stop = new AbortController();
  const texts: unknown[] = [];
  for await (const item of reader.wr.inbox.listen({ signal: stop.signal, pageSize, wait: 5 })) {
    texts.push(textOf(item));
    if (texts.length === count) stop.abort();
  }
  return texts;
}

describe("the items", () => {
  it("are wires, knocks and notices in the order of their times, each once", async () => {
    const reader = await newReader();
    await send(reader, "first");
    const gone = await sender.wr.wires.send({ to: reader.slug, text: "gone" });
    await sender.wr.knocks.send({ handle: reader.slug, intro: "hello" });
    await send(reader, "second");
    await sender.wr.wires.delete({ id: gone.id });
    await send(reader, "third");
    const expected = ["first", null, "knock", "second", "tombstone_notice", "third"];
    expect(await take(reader, expected.length)).toEqual(expected);
    expect(await unacknowledged(reader)).toEqual([]);
  });

  it("come as they are sent, over pages of any size", async () => {
    for (const pageSize of [1, 2, 100]) {
      const reader = await newReader();
      const texts = Array.from({ length: 7 }, (_, n) => `${pageSize}-${n}`);
      const taking = take(reader, texts.length, pageSize);
      await send(reader, ...texts);
      expect(await taking).toEqual(texts);
      expect(await unacknowledged(reader)).toEqual([]);
    }
  });

  it("carry payloads of the caller's own type", async () => {
    const reader = await newReader();
    await sender.wr.wires.send({ to: reader.slug, payload: { city: "Oslo" } });
    for await (const item of reader.wr.inbox.listen<{ city: string }>()) {
      if (item.kind === "wire") expect(item.wire.payload?.city).toBe("Oslo");
      break;
    }
  });
});

describe("acknowledged is", () => {
  it("nothing that the body has not finished: a crash serves it again", async () => {
    const reader = await newReader();
    await send(reader, "one", "two");
    const crashed = reader.wr.inbox.listen();
    expect(textOf((await crashed.next()).value!)).toBe("one");
    expect(textOf((await crashed.next()).value!)).toBe("two");
    expect(await unacknowledged(reader)).toEqual(["one", "two"]);
  });

  it("each item before the next is fetched, with pages of one", async () => {
    const reader = await newReader();
    await send(reader, "one", "two", "three");
    const crashed = reader.wr.inbox.listen({ pageSize: 1 });
    for (let n = 0; n < 3; n++) await crashed.next();
    expect(await unacknowledged(reader)).toEqual(["three"]);
  });

  it("what came before the item at which the loop is left by break", async () => {
    const reader = await newReader();
    await send(reader, "one", "two", "three", "four");
    const seen: unknown[] = [];
    for await (const item of reader.wr.inbox.listen()) {
      seen.push(textOf(item));
      if (seen.length === 3) break;
    }
    expect(await unacknowledged(reader)).toEqual(["three", "four"]);
    expect(await take(reader, 2)).toEqual(["three", "four"]);
  });

  it("the same where the body throws, and its error is the one that comes out", async () => {
    const reader = await newReader();
    await send(reader, "good", "bad", "later");
    const work = async () => {
      for await (const item of reader.wr.inbox.listen())
        if (textOf(item) === "bad") throw new Error("cannot do that");
    };
    await expect(work()).rejects.toThrow("cannot do that");
    expect(await unacknowledged(reader)).toEqual(["bad", "later"]);
  });

  it("the item under way as well, where the signal aborts and the body ends", async () => {
    const reader = await newReader();
    await send(reader, "one", "two", "three");
    expect(await take(reader, 2)).toEqual(["one", "two"]);
    expect(await unacknowledged(reader)).toEqual(["three"]);
  });

  it("what was finished when an idle loop is aborted, and the loop ends without an error", async () => {
    const reader = await newReader();
    await send(reader, "one");
    const stop = new AbortController();
    for await (const _ of reader.wr.inbox.listen({ signal: stop.signal }))
      setTimeout(() => stop.abort(), 200);
    expect(await unacknowledged(reader)).toEqual([]);
  });
});

describe("the loop survives", () => {
  it("a daemon that is killed and one that is restarted: each item once, in order", async () => {
    const reader = await newReader();
    const texts = Array.from({ length: 12 }, (_, n) => `across ${n}`);
    const taking = take(reader, texts.length);
    await send(reader, ...texts.slice(0, 4));
    await daemon.kill();
    await daemon.restart();
    await send(reader, ...texts.slice(4, 8));
    await daemon.restart();
    await send(reader, ...texts.slice(8));
    expect(await taking).toEqual(texts);
    expect(await unacknowledged(reader)).toEqual([]);
  });

  it("a network that fails in every way: each item once, in order", async () => {
    const reader = await newReader(proxy.base);
    const kinds: Fault[] = [
      "cut-before",
      "pass",
      "cut-after",
      "503",
      "cut-within",
      "pass",
      "502",
      "half-open-after",
    ];
    let n = 0;
    proxy.always(() => kinds[n++ % kinds.length]!);
    const texts = Array.from({ length: 10 }, (_, i) => `through ${i}`);
    await send(reader, ...texts.slice(0, 5));
    const stop = new AbortController();
    const seen: unknown[] = [];
    for await (const item of reader.wr.inbox.listen({
      signal: stop.signal,
      wait: 1,
      pageSize: 2,
      timeout: 300,
    })) {
      seen.push(textOf(item));
      if (seen.length === 5) await send(reader, ...texts.slice(5));
      if (seen.length === texts.length) {
        proxy.always(() => "pass");
        stop.abort();
      }
    }
    expect(seen).toEqual(texts);
    expect(await unacknowledged(reader)).toEqual([]);
  });
});

describe("the loop ends with an error when", () => {
  it("the key is revoked", async () => {
    const reader = await newReader();
    const { keyId } = { keyId: await keyIdOf(reader) };
    const listening = take(reader, 1);
    await (await sdkHuman(daemon, reader.slug)).keys.revoke({ id: keyId });
    await expect(listening).rejects.toThrow(UnauthorizedError);
  });

  it("the last acknowledgement does not get through, and those items come again", async () => {
    const reader = await newReader(proxy.base);
    await send(reader, "one");
    const stop = new AbortController();
    const work = async () => {
      for await (const _ of reader.wr.inbox.listen({ signal: stop.signal })) {
        proxy.always(() => "cut-before");
        stop.abort();
      }
    };
    await expect(work()).rejects.toThrow(ConnectionError);
    expect(await unacknowledged(reader)).toEqual(["one"]);
  });

  it("its settings make no sense", async () => {
    const reader = await newReader();
    await expect(reader.wr.inbox.listen({ wait: 0 }).next()).rejects.toThrow("`wait`");
    await expect(reader.wr.inbox.listen({ pageSize: 0 }).next()).rejects.toThrow("`pageSize`");
  });
});

async function keyIdOf(reader: SdkAgent): Promise<string> {
  const { keys } = await (await sdkHuman(daemon, reader.slug)).keys.list();
  return keys[0]!.id;
}

describe("of a service that", () => {
  const service = mockService();

  it("answers in another order than that of its log, nothing is acknowledged that is not finished", async () => {
    // The clock went back between the two: by their times the notice comes first, in the log it comes last.
    const wire = { id: "w", created_at: "2026-01-02T00:00:00.000Z", text_body: "late" };
    const notice = { wire_id: "x", removed_at: "2026-01-01T00:00:00.000Z" };
    service.answers(({ url }) => {
      const isWhole = Number(new URL(url).searchParams.get("limit")) > 1;
      return Response.json({
        wires: [wire],
        knocks: [],
        tombstone_notices: isWhole ? [notice] : [],
        next_cursor: isWhole ? "2" : "1",
      });
    });
    let seen = 0;
    for await (const item of service.agent().inbox.listen()) {
      if (seen++ === 0) expect(item.kind).toBe("tombstone_notice");
      else break;
    }
    const cursors = service.requests.map(({ url }) => new URL(url).searchParams.get("cursor"));
    expect(cursors).toEqual([null, null]);
  });

  it("is busy the loop waits for as long as that asks for, until the signal aborts", async () => {
    service.answers(() => envelope(503, "UNAVAILABLE", { retry_after: 3_600 }));
    for await (const _ of service.agent().inbox.listen({ signal: AbortSignal.timeout(300) }))
      throw new Error("there is nothing");
    expect(service.requests).toHaveLength(1);
  });

  it("answers empty pages at once the loop does not spin", async () => {
    service.answers(() => Response.json({ wires: [], knocks: [], tombstone_notices: [], next_cursor: "0" }));
    for await (const _ of service.agent().inbox.listen({ signal: AbortSignal.timeout(600) }))
      throw new Error("there is nothing");
    expect(service.requests.length).toBeGreaterThan(1);
    expect(service.requests.length).toBeLessThan(5);
  });
});
