import { expect, it } from "vitest";
import { type ChangeEvent, decodeEvent, EventBus, encodeEvent } from "../../src/store/engine/events.js";
import { dmThread, Notifier } from "../../src/store/engine/notifier.js";

const THREAD = 97;
const [ALICE, BOB, CAROL] = [7, 8, 9];

/** Returns which readers of a thread of direct messages an event wakes. */
async function wokenBy(event: ChangeEvent | undefined): Promise<number[]> {
  const events = new EventBus();
  const notifier = new Notifier();
  notifier.listenTo(events);
  const ended = new AbortController();
  const woken: number[] = [];
  const waits = [ALICE, BOB, CAROL].map(async (reader) => {
    await notifier.subscribe({ dmThread: dmThread(THREAD, reader) }, 1).wait(10_000, ended.signal);
    if (!ended.signal.aborted) woken.push(reader);
  });
  events.publish(event);
  await new Promise((resolve) => setImmediate(resolve));
  ended.abort();
  await Promise.all(waits);
  return woken.sort();
}

// [D14-thread-cost]
it("a reply of a thread of direct messages wakes its sender and its recipient alone", async () => {
  const reply: ChangeEvent = { topic: "inbox", handle: BOB, thread: THREAD, sender: ALICE };
  expect(await wokenBy(reply)).toEqual([ALICE, BOB]);
  // Other daemons receive the same.
  expect(decodeEvent(encodeEvent(reply))).toEqual(reply);
  expect(await wokenBy({ topic: "inbox", handle: BOB })).toEqual([]);
  expect(await wokenBy({ ...reply, thread: THREAD + 1 })).toEqual([]);
});

// [D14-thread-cost]
it("a daemon of the version before names only the recipient", async () => {
  expect(await wokenBy(decodeEvent("inbox:8:97"))).toEqual([BOB]);
});
