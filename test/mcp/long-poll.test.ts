import { expect, it } from "vitest";
import { expectOk } from "../harness/api-helpers.js";
import { fastClockEnv } from "../harness/clock-skew.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { jsonRpcToolCaller } from "../harness/mcp.js";

const FACTOR = 10;
const { daemon, alice } = await daemonFixture(["alice"], { env: fastClockEnv(FACTOR) });

/** Returns how many seconds passed on the clock of the daemon. */
async function secondsOf(request: Promise<unknown>): Promise<number> {
  const started = performance.now();
  await request;
  return ((performance.now() - started) / 1_000) * FACTOR;
}

// [D5-wait-at-most]
it("a long poll with a longer wait is held for 50 s, over REST and MCP", async () => {
  const read = (wait: number) => secondsOf(expectOk(alice.get(`/inbox?wait=${wait}`)));
  const call = jsonRpcToolCaller(daemon, alice).call("read_inbox", { wait: 60 });
  const [fifty, ...sixty] = await Promise.all([read(50), read(60), secondsOf(call)]);
  expect(fifty).toBeGreaterThanOrEqual(50);
  // A wait that was not cut would take 60 s. All three started at the same time, so a busy machine delays
  // them alike.
  for (const seconds of sixty) {
    expect(seconds).toBeGreaterThanOrEqual(50);
    expect(seconds).toBeLessThan(Math.max(60, fifty! + 5));
  }
});
