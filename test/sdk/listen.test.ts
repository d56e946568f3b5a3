/** Tests of `inbox.listen`: each item once and in order, even if the daemon or the loop is interrupted. */

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  ConnectionError,
  type InboxItem,
  UnauthorizedError,
  Wireroom,
  type WireroomOptions,
} from "../../sdk/src/index.js";
import { wireroomHandlers } from "../../sdk/src/msw/index.js";
import { NO_ITEMS } from "../harness/api-helpers.js";
import { NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { type Fault, type FaultProxy, startFaultProxy } from "../harness/fault-proxy.js";
import { mockService } from "../harness/mock-service.js";
import { createSdkAgent, dashboardClient, type SdkAgent } from "../harness/sdk.js";
import { warningsDuring } from "../harness/warnings.js";

let daemon: TestDaemon;
let proxy: FaultProxy;
let sender: SdkAgent;

beforeAll(async () => {
  daemon = await startDaemon({ args: NO_LIMITS });
  proxy = await startFaultProxy(() => daemon.origin);
  sender = await createSdkAgent(daemon, "sender");
});

afterEach(() => {
  vi.unstubAllEnvs();
  proxy.requests.length = 0;
  proxy.setDefaultFault(() => "pass");
});

afterAll(async () => {
  await proxy.close();
  await daemon.stop();
});

let readers = 0;

/** Creates a handle with an empty inbox. @param baseUrl URL of the daemon by default */
async function newReader(baseUrl = daemon.base): Promise<SdkAgent> {
  return createSdkAgent(daemon, `reader-${++readers}`, { baseUrl, timeout: 1_000 });
}

async function send(to: SdkAgent, ...texts: string[]): Promise<void> {
  for (const text of texts) await sender.wr.wires.send({ to: to.slug, text });
}

const textOf = (item: InboxItem) => (item.kind === "wire" ? item.wire.text_body : item.kind);

/** Returns the texts of the wires after the checkpoint, which the service would return again. */
async function unacknowledged({ key }: SdkAgent): Promise<unknown[]> {
  const wr = new Wireroom({ apiKey: key, baseUrl: daemon.base });
  return (await wr.inbox.read({ limit: 100 })).wires.map((wire) => wire.text_body);
}

/** Listens until `count` items were processed. Returns their texts. */
async function receiveItems(reader: SdkAgent, count: number, pageSize?: number): Promise<unknown[]> {
  const stop = new AbortController();
  const texts: unknown[] = [];
  for await (const item of reader.wr.inbox.listen({ signal: stop.signal, pageSize, wait: 5 })) {
    texts.push(textOf(item));
    if (texts.length === count) stop.abort();
  }
  return texts;
}

describe("while the service does not respond, a loop", () => {
  /** Receives an item after two attempts whose connection was cut. */
  async function receiveLate(options: WireroomOptions): Promise<void> {
    const { key, slug } = await newReader();
    await sender.wr.wires.send({ to: slug, text: "late" });
    proxy.queueFaults("cut-before", "cut-before");
    vi.stubEnv("WIREROOM_URL", proxy.base);
    const wr = new Wireroom({ apiKey: key, ...options });
    for await (const _item of wr.inbox.listen()) break;
    await wr.close();
  }

  it("prints one warning, and one when the service responds again", async () => {
    const warnings = await warningsDuring(() => receiveLate({}));
    expect(warnings).toEqual([
      expect.stringMatching(/no response from http:\S+ \(\w+\); WIREROOM_URL names .*; trying again$/),
      expect.stringMatching(/^http:\S+ responds again$/),
    ]);
  });

  it("gives all of them to the logger, if there is one", async () => {
    const told: string[] = [];
    const logger = { debug() {}, warn: (text: string) => void told.push(text) };
    expect(await warningsDuring(() => receiveLate({ logger }))).toEqual([]);
    expect(told[0]).toContain("no response");
  });
});

describe("the items of inbox.listen", () => {
  it("are read with the other fields of inbox.read, such as brief", async () => {
    const reader = await newReader();
    await send(reader, "long ".repeat(100));
    for await (const item of reader.wr.inbox.listen({ brief: true })) {
      expect(textOf(item)).toHaveLength(280);
      break;
    }
  });

  it("are wires, knocks and notices in chronological order, each once", async () => {
    const reader = await newReader();
    await send(reader, "first");
    const gone = await sender.wr.wires.send({ to: reader.slug, text: "gone" });
    await sender.wr.knocks.send({ handle: reader.slug, intro: "hello" });
    await send(reader, "second");
    await sender.wr.wires.delete({ id: gone.id });
    await send(reader, "third");
    const expected = ["first", null, "knock", "second", "tombstone_notice", "third"];
    expect(await receiveItems(reader, expected.length)).toEqual(expected);
    expect(await unacknowledged(reader)).toEqual([]);
  });

  it("arrive as soon as they are sent, with any page size", async () => {
    for (const pageSize of [1, 2, 100]) {
      const reader = await newReader();
      const texts = Array.from({ length: 7 }, (_, n) => `${pageSize}-${n}`);
      const taking = receiveItems(reader, texts.length, pageSize);
      await send(reader, ...texts);
      expect(await taking).toEqual(texts);
      expect(await unacknowledged(reader)).toEqual([]);
    }
  });

  it("have payloads of the caller's type", async () => {
    const reader = await newReader();
    await sender.wr.wires.send({ to: reader.slug, payload: { city: "Oslo" } });
    for await (const item of reader.wr.inbox.listen<{ city: string }>()) {
      if (item.kind === "wire") expect(item.wire.payload?.city).toBe("Oslo");
      break;
    }
  });
});

describe("inbox.listen acknowledges", () => {
  it("no item that the loop body has not finished, so that a crash repeats it", async () => {
    const reader = await newReader();
    await send(reader, "one", "two");
    const crashed = reader.wr.inbox.listen();
    expect(textOf((await crashed.next()).value!)).toBe("one");
    expect(textOf((await crashed.next()).value!)).toBe("two");
    expect(await unacknowledged(reader)).toEqual(["one", "two"]);
  });

  it("each item before the next one is requested, with a page size of one", async () => {
    const reader = await newReader();
    await send(reader, "one", "two", "three");
    const crashed = reader.wr.inbox.listen({ pageSize: 1 });
    for (let n = 0; n < 3; n++) await crashed.next();
    expect(await unacknowledged(reader)).toEqual(["three"]);
  });

  it("the items before the one at which the loop breaks", async () => {
    const reader = await newReader();
    await send(reader, "one", "two", "three", "four");
    const seen: unknown[] = [];
    for await (const item of reader.wr.inbox.listen()) {
      seen.push(textOf(item));
      if (seen.length === 3) break;
    }
    expect(await unacknowledged(reader)).toEqual(["three", "four"]);
    expect(await receiveItems(reader, 2)).toEqual(["three", "four"]);
  });

  it("the items before the one at which the body throws, and rethrows its error", async () => {
    const reader = await newReader();
    await send(reader, "good", "bad", "later");
    const listen = async () => {
      for await (const item of reader.wr.inbox.listen())
        if (textOf(item) === "bad") throw new Error("cannot do that");
    };
    await expect(listen()).rejects.toThrow("cannot do that");
    expect(await unacknowledged(reader)).toEqual(["bad", "later"]);
  });

  it("the current item, too, if the signal aborts and the body finishes", async () => {
    const reader = await newReader();
    await send(reader, "one", "two", "three");
    expect(await receiveItems(reader, 2)).toEqual(["one", "two"]);
    expect(await unacknowledged(reader)).toEqual(["three"]);
  });

  it("all finished items if the signal aborts while the loop waits, and ends without an error", async () => {
    const reader = await newReader();
    await send(reader, "one");
    const stop = new AbortController();
    for await (const _ of reader.wr.inbox.listen({ signal: stop.signal }))
      setTimeout(() => stop.abort(), 200);
    expect(await unacknowledged(reader)).toEqual([]);
  });
});

describe("inbox.listen continues after", () => {
  it("SIGKILL and a restart of the daemon: each item once, in order", async () => {
    const reader = await newReader();
    const texts = Array.from({ length: 12 }, (_, n) => `across ${n}`);
    const taking = receiveItems(reader, texts.length);
    await send(reader, ...texts.slice(0, 4));
    await daemon.kill();
    await daemon.restart();
    await send(reader, ...texts.slice(4, 8));
    await daemon.restart();
    await send(reader, ...texts.slice(8));
    expect(await taking).toEqual(texts);
    expect(await unacknowledged(reader)).toEqual([]);
  });

  it("every kind of network fault: each item once, in order", async () => {
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
    proxy.setDefaultFault(() => kinds[n++ % kinds.length]!);
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
        proxy.setDefaultFault(() => "pass");
        stop.abort();
      }
    }
    expect(seen).toEqual(texts);
    expect(await unacknowledged(reader)).toEqual([]);
  });
});

describe("inbox.listen throws if", () => {
  it("the key is revoked", async () => {
    const reader = await newReader();
    const { keyId } = { keyId: await keyIdOf(reader) };
    const listening = receiveItems(reader, 1);
    await (await dashboardClient(daemon, reader.slug)).keys.revoke({ id: keyId });
    await expect(listening).rejects.toThrow(UnauthorizedError);
  });

  it("the last acknowledgement fails; the items are returned again", async () => {
    const reader = await newReader(proxy.base);
    await send(reader, "one");
    const stop = new AbortController();
    const listen = async () => {
      for await (const _ of reader.wr.inbox.listen({ signal: stop.signal })) {
        proxy.setDefaultFault(() => "cut-before");
        stop.abort();
      }
    };
    await expect(listen()).rejects.toThrow(ConnectionError);
    expect(await unacknowledged(reader)).toEqual(["one"]);
  });

  it("its settings are invalid", async () => {
    const reader = await newReader();
    await expect(reader.wr.inbox.listen({ wait: 0 }).next()).rejects.toThrow("`wait`");
    await expect(reader.wr.inbox.listen({ pageSize: 0 }).next()).rejects.toThrow("`pageSize`");
  });
});

async function keyIdOf(reader: SdkAgent): Promise<string> {
  const { keys } = await (await dashboardClient(daemon, reader.slug)).keys.list();
  return keys[0]!.id;
}

describe("with a service that", () => {
  const service = mockService();
  const { inbox, wires } = wireroomHandlers;
  const empty = { ...NO_ITEMS, next_cursor: "0" };

  it("returns items out of order, inbox.listen acknowledges only finished items", async () => {
    // The clock was set back between the two items: the notice has the earlier time, but is last in the log.
    const wire = { ...wires.get.example, id: "w", created_at: "2026-01-02T00:00:00.000Z" };
    const [example] = inbox.read.example.tombstone_notices;
    const notice = { ...example!, removed_at: "2026-01-01T00:00:00.000Z" };
    const first = { ...empty, wires: [wire], next_cursor: "1" };
    const both = { ...first, tombstone_notices: [notice], next_cursor: "2" };
    service.use(inbox.read(({ input }) => (input.limit! > 1 ? both : first)));
    let seen = 0;
    for await (const item of service.agent().inbox.listen()) {
      if (seen++ === 0) expect(item.kind).toBe("tombstone_notice");
      else break;
    }
    const cursors = service.requests.map(({ url }) => new URL(url).searchParams.get("cursor"));
    expect(cursors).toEqual([null, null]);
  });

  it("is busy, inbox.listen waits for the requested time, until the signal aborts", async () => {
    service.use(inbox.read(({ error }) => error("UNAVAILABLE", { retry_after: 3_600 })));
    for await (const _ of service.agent().inbox.listen({ signal: AbortSignal.timeout(300) }))
      throw new Error("there is nothing");
    expect(service.requests).toHaveLength(1);
  });

  it("is busy at the last acknowledgement, the loop ends without the requested wait", async () => {
    const page = { ...empty, wires: [wires.get.example], next_cursor: "1" };
    service.use(
      inbox.read(({ count, error }) => (count === 1 ? page : error("UNAVAILABLE", { retry_after: 30 }))),
    );
    const stop = new AbortController();
    const listen = async () => {
      for await (const _ of service.agent().inbox.listen({ signal: stop.signal })) stop.abort();
    };
    await expect(listen()).rejects.toMatchObject({ code: "UNAVAILABLE", retryAfter: 30 });
    expect(service.requests).toHaveLength(2);
  });

  it("returns empty pages at once, inbox.listen limits the request rate", async () => {
    service.use(inbox.read(empty));
    for await (const _ of service.agent().inbox.listen({ signal: AbortSignal.timeout(600) }))
      throw new Error("there is nothing");
    expect(service.requests.length).toBeGreaterThan(1);
    expect(service.requests.length).toBeLessThan(5);
  });
});
