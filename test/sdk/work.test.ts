/** Tests of `inbox.work`: which items are handled, in which order, and what is acknowledged. */

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ReceivedItem,
  UnauthorizedError,
  Wireroom,
  type WorkHandler,
  type WorkOptions,
} from "../../sdk/src/index.js";
import { wireroomHandlers } from "../../sdk/src/msw/index.js";
import { NO_ITEMS } from "../harness/api-helpers.js";
import { NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { mockService } from "../harness/mock-service.js";
import { createSdkAgent, dashboardClient, type SdkAgent } from "../harness/sdk.js";
import { warningsDuring } from "../harness/warnings.js";

let daemon: TestDaemon;
let sender: SdkAgent;
let workers = 0;

beforeAll(async () => {
  daemon = await startDaemon({ args: NO_LIMITS });
  sender = await createSdkAgent(daemon, "sender");
});
afterAll(() => daemon.stop());

/** Creates a handle whose inbox contains these texts, each in a thread of its own. */
async function workerWith(...texts: string[]): Promise<SdkAgent> {
  const worker = await createSdkAgent(daemon, `worker-${++workers}`);
  for (const text of texts) await send(worker, text);
  return worker;
}

async function send({ slug }: SdkAgent, text: string, reply_to?: string): Promise<string> {
  return (await sender.wr.wires.send({ to: slug, text, reply_to })).id;
}

const textOf = (item: ReceivedItem) => (item.kind === "wire" ? item.wire.text_body! : item.kind);

/** Returns the texts after the checkpoint, which another reader would receive. */
async function unacknowledged({ key }: SdkAgent): Promise<unknown[]> {
  const wr = new Wireroom({ apiKey: key, baseUrl: daemon.base });
  return (await wr.inbox.read({ limit: 100 })).wires.map((wire) => wire.text_body);
}

/** Works until the inbox is empty. Returns the texts in the order in which their handlers started. */
async function workOnce(
  worker: SdkAgent,
  handler: (text: string, attempt: number) => unknown = () => {},
  options: WorkOptions<ReceivedItem> = {},
): Promise<string[]> {
  const started: string[] = [];
  const handle: WorkHandler<ReceivedItem> = (item, { attempt }) => {
    started.push(textOf(item));
    return handler(textOf(item), attempt);
  };
  await worker.wr.inbox.work(handle, { once: true, pollInterval: 20, ...options });
  return started;
}

/** Throws at the first attempts. */
const failing = (times: number) => (text: string, attempt: number) => {
  if (text === "bad" && attempt <= times) throw new Error(`attempt ${attempt} failed`);
};

const soon: WorkOptions<ReceivedItem>["onError"] = () => ({ retryIn: 10 });

describe("inbox.work", () => {
  it("hands out every item once, in order, and acknowledges it", async () => {
    const worker = await workerWith("one", "two", "three");
    expect(await workOnce(worker)).toEqual(["one", "two", "three"]);
    expect(await unacknowledged(worker)).toEqual([]);
    expect(await workOnce(worker)).toEqual([]);
  });

  it("waits for new items until the signal aborts, and lets the running handler finish", async () => {
    const worker = await workerWith();
    const stop = new AbortController();
    const seen: unknown[] = [];
    const working = worker.wr.inbox.work(
      async (item, { signal }) => {
        seen.push(textOf(item));
        if (seen.length < 2) return;
        stop.abort();
        await sleep(50);
        seen.push(signal.aborted);
      },
      { signal: stop.signal },
    );
    for (const text of ["one", "two", "three"]) await send(worker, text);
    await working;
    expect(seen).toEqual(["one", "two", true]);
    expect(await unacknowledged(worker)).toEqual(["three"]);
  });

  it("handles up to `concurrency` threads at a time, each in order", async () => {
    const worker = await workerWith();
    const roots = await Promise.all(["a", "b", "c", "d"].map((name) => send(worker, `${name}0`)));
    for (const [n, root] of roots.entries()) await send(worker, `${"abcd"[n]}1`, root);
    let running = 0;
    let most = 0;
    const finished: string[] = [];
    await workOnce(
      worker,
      async (text) => {
        most = Math.max(most, ++running);
        if (text === "a0") while (!finished.includes("b1")) await sleep(10);
        else await sleep(20);
        running--;
        finished.push(text);
      },
      { concurrency: 3 },
    );
    expect(most).toBe(3);
    expect(finished).toHaveLength(8);
    for (const name of "abcd")
      expect(finished.indexOf(`${name}0`)).toBeLessThan(finished.indexOf(`${name}1`));
    expect(finished.indexOf("b1")).toBeLessThan(finished.indexOf("a0"));
  });

  it("causes no warning of Node if many handlers pass their signal on", async () => {
    const worker = await workerWith(...Array.from({ length: 20 }, (_, n) => `job ${n}`));
    const warnings = await warningsDuring(() =>
      worker.wr.inbox.work((_item, { signal }) => worker.wr.profile.get({ signal }), {
        concurrency: 16,
        once: true,
      }),
    );
    expect(warnings).toEqual([]);
  });

  it("takes new items while an earlier one is unfinished", async () => {
    const worker = await workerWith("slow");
    const finished: string[] = [];
    await workOnce(
      worker,
      async (text) => {
        if (text === "slow") {
          await send(worker, "new");
          while (finished.length === 0) await sleep(10);
        }
        finished.push(text);
      },
      { concurrency: 2 },
    );
    expect(finished).toEqual(["new", "slow"]);
  });

  it("gives handlers wires that can be replied to", async () => {
    const worker = await workerWith("ping");
    await worker.wr.inbox.work(
      async (item) => {
        if (item.kind === "wire") await item.wire.reply({ text: `${item.wire.text_body} pong` });
        expect(Object.keys(item.kind === "wire" ? item.wire : {})).not.toContain("reply");
      },
      { once: true },
    );
    const { wires } = await sender.wr.inbox.read();
    expect(wires.map(({ text_body, sender }) => [text_body, sender])).toContainEqual([
      "ping pong",
      worker.slug,
    ]);
  });
});

describe("inbox.work acknowledges", () => {
  it("finished items up to the first unfinished one, so that a crash repeats only later ones", async () => {
    const worker = await workerWith("one", "two", "stuck", "four");
    const crash = new AbortController();
    let left: unknown[] = [];
    await worker.wr.inbox.work(
      async (item) => {
        if (textOf(item) !== "stuck") return;
        while (left.length !== 2) left = await unacknowledged(worker);
        crash.abort();
      },
      { concurrency: 2, signal: crash.signal },
    );
    expect(left).toEqual(["stuck", "four"]);
    expect(await unacknowledged(worker)).toEqual([]);
  });

  it("nothing that a handler leaves, and goes on with the other items", async () => {
    const worker = await workerWith("mine", "theirs", "mine too");
    let isFull = 0;
    const leave = (text: string) => (text === "theirs" ? "leave" : undefined);
    const onFull = () => isFull++;
    expect(await workOnce(worker, leave, { onFull })).toEqual(["mine", "theirs", "mine too"]);
    expect(await unacknowledged(worker)).toEqual(["theirs", "mine too"]);
    expect(isFull).toBe(0);
    expect(await workOnce(worker, leave, { onFull, window: 1 })).toEqual(["theirs"]);
    expect(isFull).toBe(1);
  });

  it("no item that it has read but not handled when `onRead` throws", async () => {
    const worker = await workerWith();
    const one = await send(worker, "one");
    let throws = false;
    let start!: () => void;
    let finish!: () => void;
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const handle = () => {
      start();
      return finished;
    };
    const onRead = () => {
      if (!throws) return;
      setTimeout(finish, 50);
      throw new Error("no more");
    };
    const working = worker.wr.inbox.work(handle, { concurrency: 2, pollInterval: 20, onRead });
    const ended = expect(working).rejects.toThrow("no more");
    await started;
    // In the same thread, it does not start.
    await send(worker, "two", one);
    throws = true;
    await ended;
    expect(await unacknowledged(worker)).toEqual(["two"]);
  });

  it("and notices what another reader has acknowledged", async () => {
    const worker = await workerWith("theirs");
    const seen: string[] = [];
    const stop = new AbortController();
    const options = { window: 1, pollInterval: 20, signal: stop.signal };
    const working = worker.wr.inbox.work((item) => {
      seen.push(textOf(item));
      if (seen.length === 2) stop.abort();
      return "leave";
    }, options);
    await send(worker, "next");
    const { next_cursor } = await worker.wr.inbox.read({ limit: 1 });
    await worker.wr.inbox.read({ cursor: next_cursor });
    await working;
    expect(seen).toEqual(["theirs", "next"]);
  });
});

describe("if a handler throws, inbox.work", () => {
  it("tries again as `onError` says, while other threads go on", async () => {
    const worker = await workerWith("bad", "good");
    const onError = () => ({ retryIn: 100 });
    expect(await workOnce(worker, failing(2), { onError })).toEqual(["bad", "good", "bad", "bad"]);
    expect(await unacknowledged(worker)).toEqual([]);
  });

  it("lets no later item of the thread overtake it", async () => {
    const worker = await workerWith();
    const root = await send(worker, "bad");
    await send(worker, "after", root);
    expect(await workOnce(worker, failing(1), { onError: soon, concurrency: 2 })).toEqual([
      "bad",
      "bad",
      "after",
    ]);
  });

  it("skips the item if `onError` says so", async () => {
    const worker = await workerWith("bad", "good");
    const failures: unknown[] = [];
    const onError: WorkOptions<ReceivedItem>["onError"] = async (error, { item, attempt }) => {
      failures.push([(error as Error).message, textOf(item), attempt]);
      return "skip" as const;
    };
    expect(await workOnce(worker, failing(1), { onError })).toEqual(["bad", "good"]);
    expect(failures).toEqual([["attempt 1 failed", "bad", 1]]);
    expect(await unacknowledged(worker)).toEqual([]);
  });

  it("stops with the error of the handler, and leaves the item", async () => {
    const worker = await workerWith("good", "bad", "later");
    const onError = () => "stop" as const;
    await expect(workOnce(worker, failing(1), { onError })).rejects.toThrow("attempt 1 failed");
    expect(await unacknowledged(worker)).toEqual(["bad", "later"]);
  });

  it("stops with the error of `onError` itself", async () => {
    const worker = await workerWith("bad");
    const onError = () => {
      throw new Error("no disk for the dead letter");
    };
    await expect(workOnce(worker, failing(1), { onError })).rejects.toThrow("no disk for the dead letter");
    expect(await unacknowledged(worker)).toEqual(["bad"]);
  });

  it("tries again after a second by default", async () => {
    const worker = await workerWith("bad");
    const started = performance.now();
    expect(await workOnce(worker, failing(1))).toEqual(["bad", "bad"]);
    expect(performance.now() - started).toBeGreaterThan(950);
  });
});

describe("inbox.work goes on after", () => {
  it("SIGKILL and a restart of the daemon: each item once, in order", async () => {
    const worker = await workerWith("one", "two", "three");
    const stop = new AbortController();
    const seen: string[] = [];
    const working = worker.wr.inbox.work(
      async (item) => {
        seen.push(textOf(item));
        if (seen.length === 2) {
          await daemon.kill();
          await daemon.restart();
        }
        if (seen.length === 5) stop.abort();
      },
      { signal: stop.signal },
    );
    while (seen.length < 3) await sleep(20);
    await daemon.kill();
    await daemon.restart();
    for (const text of ["four", "five"]) await send(worker, text);
    await working;
    expect(seen).toEqual(["one", "two", "three", "four", "five"]);
    expect(await unacknowledged(worker)).toEqual([]);
  });
});

describe("inbox.work rejects if", () => {
  it("the key is revoked", async () => {
    const worker = await workerWith();
    const working = worker.wr.inbox.work(() => {});
    const dashboard = await dashboardClient(daemon, worker.slug);
    await dashboard.keys.revoke({ id: (await dashboard.keys.list()).keys[0]!.id });
    await expect(working).rejects.toThrow(UnauthorizedError);
  });

  it("an option is invalid", async () => {
    const worker = await workerWith();
    await expect(worker.wr.inbox.work(() => {}, { concurrency: 0 })).rejects.toThrow("`concurrency`");
    await expect(worker.wr.inbox.work(() => {}, { window: 0 })).rejects.toThrow("`window`");
  });
});

describe("with a service that", () => {
  const service = mockService();
  const { inbox, wires } = wireroomHandlers;
  const empty = { ...NO_ITEMS, next_cursor: "0" };

  it("returns empty pages at once, inbox.work limits the request rate", async () => {
    service.use(inbox.read(empty));
    await service.agent().inbox.work(() => {}, { signal: AbortSignal.timeout(600) });
    expect(service.requests.length).toBeGreaterThan(1);
    expect(service.requests.length).toBeLessThan(5);
  });

  it("returns far more items than a page has, inbox.work and inbox.listen reject", async () => {
    const wire = (_: unknown, n: number) => ({ ...wires.get.example, id: `w${n}`, thread_id: `w${n}` });
    service.use(inbox.read({ ...empty, wires: Array.from({ length: 101 }, wire) }));
    const error = { code: "UNEXPECTED_RESPONSE", message: expect.stringContaining("101 items") };
    let handled = 0;
    await expect(service.agent().inbox.work(() => handled++, { once: true })).rejects.toMatchObject(error);
    await expect(service.agent().inbox.listen().next()).rejects.toMatchObject(error);
    expect(handled).toBe(0);
  });

  it("returns items out of order, inbox.work acknowledges only finished items", async () => {
    // The clock was set back between the two items: the notice has the earlier time, but is last in the log.
    const wire = { ...wires.get.example, id: "w", thread_id: "w", created_at: "2026-01-02T00:00:00.000Z" };
    const [example] = inbox.read.example.tombstone_notices;
    const notice = { ...example!, thread_id: "x", removed_at: "2026-01-01T00:00:00.000Z" };
    const first = { ...empty, wires: [wire], next_cursor: "1" };
    const both = { ...first, tombstone_notices: [notice], next_cursor: "2" };
    service.use(inbox.read(({ input }) => (input.limit! > 1 ? both : first)));
    const onError = () => "stop" as const;
    const working = service.agent().inbox.work(
      async ({ kind }) => {
        if (kind === "wire") throw new Error("cannot do that");
      },
      { onError },
    );
    await expect(working).rejects.toThrow("cannot do that");
    const cursors = service.requests.map(({ url }) => new URL(url).searchParams.get("cursor"));
    expect(cursors.filter((cursor) => cursor !== null)).toEqual([]);
  });
});
