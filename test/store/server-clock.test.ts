import { afterEach, describe, expect, it } from "vitest";
import { now, setClock } from "../../src/kernel/clock.js";
import { ServerClock } from "../../src/store/engine/postgres/server-clock.js";

const HOUR = 3_600_000;
/** Delays of a slow response in milliseconds, before and after the server takes its timestamp. */
const [REQUEST_DELAY_MS, RESPONSE_DELAY_MS] = [300, 100];

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Expects a time within 10 s of the expected one. */
const expectTimeNear = (time: number) => expect(Math.abs(now() - time)).toBeLessThan(10_000);

describe("the clock of the database server", () => {
  afterEach(() => setClock(Date.now));

  it("is the local clock until the first response, and the server's clock afterwards", async () => {
    expectTimeNear(Date.now());
    await new ServerClock().synchronise(async () => Date.now() + HOUR);
    expectTimeNear(Date.now() + HOUR);
    expect(Number.isInteger(now())).toBe(true);
  });

  it("follows a change of the server's clock, even with a slow response", async () => {
    const clock = new ServerClock();
    await clock.synchronise(async () => Date.now() + HOUR);
    await clock.synchronise(async () => {
      await pause(REQUEST_DELAY_MS + RESPONSE_DELAY_MS);
      return Date.now() - HOUR;
    });
    expectTimeNear(Date.now() - HOUR);
  });

  it("ignores a response that is less precise than an earlier one", async () => {
    const clock = new ServerClock();
    await clock.synchronise(async () => Date.now() + HOUR);
    const ahead = now() - Date.now();
    await clock.synchronise(async () => {
      await pause(REQUEST_DELAY_MS);
      const time = Date.now() + ahead;
      await pause(RESPONSE_DELAY_MS);
      return time;
    });
    // The timestamp is taken 300 ms into a response of 400 ms. Half of the duration is 200 ms, so the error
    // is 100 ms.
    expect(now() - Date.now() - ahead).toBeLessThan(50);
  });

  it("does not change after a failed request", async () => {
    const clock = new ServerClock();
    await clock.synchronise(async () => Date.now() + HOUR);
    await expect(clock.synchronise(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
    expectTimeNear(Date.now() + HOUR);
  });
});
