/**
 * A machine that starts with a clock that is far ahead or behind must lose neither what would have expired by
 * then, nor any times.
 */
import { describe, expect, it } from "vitest";
import { DAY_MS, expectOk, expectRefused, sendWire } from "../harness/api-helpers.js";
import { fastClockEnv, SettableClock, skewedClockEnv } from "../harness/clock-skew.js";
import { startDaemon } from "../harness/daemon.js";
import { withDatabase } from "../harness/database.js";
import { Application, OAuthHuman } from "../harness/oauth.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const AHEAD_MS = 400 * DAY_MS;
const BEHIND_MS = -60 * DAY_MS;
const WARNING = "the clock is days away from the last use of the store";
const args = ["--retain", "30"];

/** A daemon with a wire of alice. */
class Service {
  readonly #dataDir = new TemporaryFolder("wireroom-ahead-").path;
  daemon!: Awaited<ReturnType<typeof startDaemon>>;
  key!: string;
  wire!: { id: string };

  static async start(): Promise<Service> {
    const service = new Service();
    await service.#start();
    const alice = await service.daemon.createAgent("alice");
    service.key = alice.key;
    service.wire = await sendWire(alice, "alice");
    return service;
  }

  async #start(env: Record<string, string> = {}): Promise<void> {
    this.daemon = await startDaemon({ args, dataDir: this.#dataDir, env });
  }

  get alice() {
    return this.daemon.client(this.key);
  }

  /** Restarts the daemon on its data with a clock that is wrong, and time that passes faster. */
  async restartWith(offsetMs: number, speed: number): Promise<void> {
    const wrong = skewedClockEnv(offsetMs).NODE_OPTIONS;
    await this.daemon.stop();
    await this.#start({ NODE_OPTIONS: `${wrong} ${fastClockEnv(speed).NODE_OPTIONS}` });
  }

  async restartWithRightClock(): Promise<void> {
    await this.daemon.stop();
    await this.#start();
  }

  storedWires() {
    return this.#select<{ id: string }>("SELECT id FROM wires");
  }

  storedTimes() {
    return this.#select<{ at: number }>("SELECT created_at AS at FROM wires");
  }

  #select<Row>(sql: string) {
    return withDatabase(this.#dataDir, (database) => database.all<Row>(sql));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.daemon.stop();
  }
}

describe.concurrent("a daemon whose clock is days wrong when it starts", () => {
  // [D15-retain-clock]
  it("hides the wires, deletes none for 45 minutes, and shows them again when the clock is right", async () => {
    await using service = await Service.start();
    await service.restartWith(AHEAD_MS, 60);
    await expectRefused(service.alice.get(`/wires/${service.wire.id}`), "NOT_FOUND");
    // Three looks at the clock.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const metrics = await (await fetch(new URL("/metrics", service.daemon.base))).text();
    const lag = Number(/^wireroom_retention_lag_seconds (\S+)$/m.exec(metrics)?.[1]);
    expect(lag * 1_000).toBeGreaterThan(AHEAD_MS - 31 * DAY_MS);
    // The use of the service under a wrong clock does not make the clock right for the next daemon.
    const later = await sendWire(service.alice, "alice");
    await service.restartWith(AHEAD_MS, 60);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await service.storedWires()).toEqual([{ id: service.wire.id }, { id: later.id }]);
    expect(service.daemon.log()).toContain(WARNING);
    await service.restartWithRightClock();
    await expectOk(service.alice.get(`/wires/${service.wire.id}`));
  });

  // [D15-retain-clock]
  it("deletes the wires after 45 minutes: the daemon was off, and the clock is right", async () => {
    await using service = await Service.start();
    expect(await service.storedWires()).toHaveLength(1);
    await service.restartWith(AHEAD_MS, 300);
    // 45 minutes are nine seconds.
    expect(await service.storedWires()).toHaveLength(1);
    await expect.poll(() => service.storedWires(), { timeout: 40_000 }).toEqual([]);
    expect(service.daemon.log()).toContain(WARNING);
  });

  // [D15-retain-clock]
  it("changes no times by a clock that is months behind for a moment, and hides no wires by them later", async () => {
    await using service = await Service.start();
    const before = await service.storedTimes();
    await service.restartWith(BEHIND_MS, 60);
    // Three looks at the clock.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(await service.storedTimes()).toEqual(before);
    expect(service.daemon.log()).toContain("the clock is days behind the last use of the store");
    await service.restartWithRightClock();
    await expectOk(service.alice.get(`/wires/${service.wire.id}`));
  });

  // [D4-clock]
  it("believes a clock that is behind after 45 minutes, so that limits count by it", async () => {
    await using service = await Service.start();
    await service.restartWith(BEHIND_MS, 300);
    // 45 minutes are nine seconds.
    await expect.poll(() => service.daemon.log(), { timeout: 40_000 }).toMatch(/"corrected_rows":[1-9]/);
    const latest = Date.now() + BEHIND_MS;
    expect((await service.storedTimes()).every(({ at }) => at <= latest)).toBe(true);
  });

  // [D15-retain-clock]
  it("keeps sign-ins, browser sessions, connections and registrations", async () => {
    const clock = new SettableClock();
    const service = await startDaemon({
      args: ["--trusted-proxies", "127.0.0.1"],
      embeddedIdentity: true,
      env: clock.env,
    });
    try {
      const human = await OAuthHuman.signUp(service);
      const { body: tokens } = await human.passwordGrant();
      const application = await Application.register(service);
      const connection = await application.connect(human, { newHandle: "alice" });
      const unused = await Application.register(service);
      clock.set(AHEAD_MS);
      await service.restart();
      clock.set(0);
      await service.restart();
      const consent = await human.browser.get(unused.authorizationUrl());
      expect(consent.text).toContain('value="approve"');
      expect((await application.refresh(connection.refresh_token)).status).toBe(200);
      expect((await new Application(service, "wireroom-cli").refresh(tokens.refresh_token)).status).toBe(200);
    } finally {
      await service.stop();
    }
  });
});
