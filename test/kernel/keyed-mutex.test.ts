import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { KeyedMutex } from "../../src/kernel/keyed-mutex.js";

it("runs tasks of one key sequentially, also after a failure, and tasks of other keys concurrently", async () => {
  const mutex = new KeyedMutex();
  const events: string[] = [];
  const task = (key: string, name: string) =>
    mutex.run(key, async () => {
      events.push(`${name} begins`);
      await sleep(5);
      events.push(`${name} ends`);
      if (name === "first") throw new Error("no");
      return name;
    });
  const results = await Promise.allSettled([
    task("a", "first"),
    task("a", "second"),
    task("b", "other"),
    task("a", "third"),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
  expect(events.filter((event) => !event.startsWith("other"))).toEqual([
    "first begins",
    "first ends",
    "second begins",
    "second ends",
    "third begins",
    "third ends",
  ]);
  expect(events.indexOf("other begins")).toBeLessThan(events.indexOf("first ends"));
});

it("does not run a task that has waited too long, but those behind it", async () => {
  const mutex = new KeyedMutex();
  const events: string[] = [];
  let endFirst: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    endFirst = resolve;
  });
  const task = (name: string) => async () => {
    events.push(name);
    if (name === "first") await gate;
    if (name === "third") throw new Error("failed");
    return name;
  };
  const maxWait = (ms: number) => ({ ms, error: () => new Error("too late") });
  const first = mutex.run("a", task("first"), maxWait(10));
  const second = mutex.run("a", task("second"), maxWait(10));
  const third = mutex.run("a", task("third"), maxWait(30_000));
  // It is refused while the first task still runs.
  await expect(second).rejects.toThrow("too late");
  endFirst();
  expect(await first).toBe("first");
  await expect(third).rejects.toThrow("failed");
  expect(events).toEqual(["first", "third"]);
});
