import { describe, expect, it } from "vitest";
import { now } from "../../src/kernel/clock.js";
import { ServerClock } from "../../src/store/engine/postgres/server-clock.js";

const HOUR = 3_600_000;
/** Of a slow answer: how long it is on its way there, and back. */
const [THERE, BACK] = [300, 100];

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** How far the time is from what is expected: within what these answers take. */
const isAbout = (time: number) => expect(Math.abs(now() - time)).toBeLessThan(10_000);

describe("the clock of the database's server", () => {
  it("is the machine's own until it has been asked, and the server's from then on", async () => {
    isAbout(Date.now());
    await new ServerClock().ask(async () => Date.now() + HOUR);
    isAbout(Date.now() + HOUR);
    expect(Number.isInteger(now())).toBe(true);
  });

  it("is followed where it was set, also by an answer that took its time", async () => {
    const clock = new ServerClock();
    await clock.ask(async () => Date.now() + HOUR);
    await clock.ask(async () => {
      await pause(THERE + BACK);
      return Date.now() - HOUR;
    });
    isAbout(Date.now() - HOUR);
  });

  it("is not taken from an answer that knows no better than the one before", async () => {
    const clock = new ServerClock();
    await clock.ask(async () => Date.now() + HOUR);
    const ahead = now() - Date.now();
    await clock.ask(async () => {
      await pause(THERE);
      const time = Date.now() + ahead;
      await pause(BACK);
      return time;
    });
    // It was stamped after half of the time that it took, so it says 100 ms too much.
    expect(now() - Date.now() - ahead).toBeLessThan(50);
  });

  it("is not asked in vain: a question that fails changes nothing", async () => {
    const clock = new ServerClock();
    await clock.ask(async () => Date.now() + HOUR);
    await expect(clock.ask(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
    isAbout(Date.now() + HOUR);
  });
});
