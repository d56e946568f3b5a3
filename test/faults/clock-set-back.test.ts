import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createSpace, DAY_MS, expectOk, expectRefused, sendWire } from "../harness/api-helpers.js";
import { SettableClock } from "../harness/clock-skew.js";
import { startDaemon } from "../harness/daemon.js";
import { runInProcess } from "../harness/in-process.js";
import { OAuthHuman } from "../harness/oauth.js";

const HOUR_MS = 60 * 60 * 1_000;
const clock = new SettableClock();
const daemon = await startDaemon({
  args: ["--limit", "wires_per_minute=3", "--limit", "spaces_per_hour=2"],
  env: clock.env,
});
const alice = await daemon.createAgent("alice");
const bob = await daemon.createAgent("bob");
afterAll(() => daemon.stop());
afterEach(() => clock.set(0));

/** Sets the clock, and waits until the daemon has read it, which it does every 10 ms. */
async function setClock(offsetMs: number): Promise<void> {
  clock.set(offsetMs);
  await sleep(500);
}

/** Sets the clock forward, and waits until the daemon has compared its clocks, which it does every second. */
async function setForward(offsetMs: number): Promise<void> {
  clock.set(offsetMs);
  await sleep(4_000);
}

async function useUpLimits(): Promise<void> {
  for (let n = 0; n < 3; n++) await sendWire(alice, "bob");
  for (let n = 0; n < 2; n++) await createSpace(alice, `space-${Date.now()}-${n}`);
}

/** Expects refusals for at most one window. */
async function expectLimitsOfOneWindow(): Promise<void> {
  const wire = await expectRefused(alice.post("/wires", { to: "bob", text: "again" }), "RATE_LIMITED");
  expect(wire.retry_after).toBeLessThanOrEqual(60);
  const space = { slug: "again", visibility: "public" };
  const { retry_after } = await expectRefused(alice.post("/spaces", space), "RATE_LIMITED");
  expect(retry_after).toBeLessThanOrEqual(3_600);
  const { limits } = (await alice.get("/limits")).body;
  for (const { window, reset } of limits) if (window !== null) expect(reset).toBeLessThanOrEqual(window);
}

describe("a clock that is set back", () => {
  // [D5-wait]
  it("does not prolong a long poll, and does not prevent its end", async () => {
    const started = performance.now();
    const waiting = bob.get("/inbox?wait=3");
    await sleep(500);
    clock.set(-HOUR_MS);
    const reply = await Promise.race([waiting, sleep(20_000, "late")]);
    expect(reply).toMatchObject({ status: 200, body: { wires: [] } });
    expect(performance.now() - started).toBeGreaterThan(2_900);
  });

  // [D4-clock]
  it("after two days ahead does not count rows from the future beyond their window", async () => {
    await setForward(2 * DAY_MS);
    await useUpLimits();
    const logged = daemon.log().length;
    clock.set(0);
    await expect
      .poll(() => daemon.log().slice(logged), { timeout: 20_000 })
      .toMatch(/"corrected_rows":[1-9]\d*,"msg":"the clock was set back"/);
    await expectLimitsOfOneWindow();
    // A minute later, the wires have left the window.
    await setClock(61_000);
    await sendWire(alice, "bob");
  });

  // [D4-clock]
  it("before a restart does not count rows from the future beyond their window", async () => {
    await setClock(4 * DAY_MS);
    await useUpLimits();
    await daemon.kill();
    clock.set(3 * DAY_MS);
    await daemon.restart();
    await expectLimitsOfOneWindow();
    await setClock(3 * DAY_MS + HOUR_MS + 1_000);
    await createSpace(alice, "an-hour-later");
    await sendWire(alice, "bob");
    expect((await runInProcess(["store", "check", "--data-dir", daemon.dataDir])).stdout).toContain(
      "is sound",
    );
  });

  // [D10-token-hour] [D16-handle-token]
  it("ends ID tokens from the future, and access tokens after an hour", async () => {
    const service = await startDaemon({
      args: ["--trusted-proxies", "127.0.0.1"],
      embeddedIdentity: true,
      env: clock.env,
    });
    try {
      const human = await OAuthHuman.signUp(service);
      await setForward(2 * DAY_MS);
      const owner = service.client(await human.idToken());
      await expectOk(owner.post("/handles", { slug: "early" }), 201);
      const { token } = await expectOk(owner.post("/handles/early/token"), 201);
      const agent = service.client(token);
      await expectOk(agent.get("/profile"));
      clock.set(0);
      await expect.poll(() => service.log(), { timeout: 20_000 }).toContain("the clock was set back");
      await expectRefused(owner.get("/accounts/me"), "FORBIDDEN");
      await expectOk(service.client(await human.idToken()).get("/accounts/me"));
      await expectOk(agent.get("/profile"));
      await setClock(HOUR_MS + 10_000);
      await expectRefused(agent.get("/profile"), "UNAUTHORIZED");
    } finally {
      await service.stop();
    }
  });
});
