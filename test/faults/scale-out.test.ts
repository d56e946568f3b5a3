/**
 * Three daemons on one PostgreSQL under load, while faults are injected. A concurrent checker verifies that
 * each acknowledged wire is in its inbox once, that no cursor skips it, and that no limit is exceeded.
 */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectOk, sendWire } from "../harness/api-helpers.js";
import { skewedClockEnv } from "../harness/clock-skew.js";
import { startDaemon, type TestDaemon } from "../harness/daemon.js";
import { mapConcurrently } from "../harness/map-concurrently.js";
import { type PostgresProxy, startPostgresProxy } from "../harness/postgres-proxy.js";
import { type EmbeddedServer, startEmbedded } from "../harness/postgres-server.js";
import { startTraffic, type Traffic } from "../harness/traffic/index.js";

/** Number of wires that each sender may send in a minute. */
const LIMIT = 60;

let server: EmbeddedServer;
let proxies: PostgresProxy[];
let daemons: TestDaemon[];

const argsFor = (url: string) => [
  ...["--limit", `wires_per_minute=${LIMIT}`, "--log-level", "warn"],
  ...["--database-url", url],
];

beforeAll(async () => {
  server = await startEmbedded();
  proxies = await Promise.all([0, 1, 2].map(() => startPostgresProxy(server.url)));
  daemons = await Promise.all(proxies.map(({ url }) => startDaemon({ args: argsFor(url) })));
}, 180_000);
afterAll(async () => {
  await Promise.all(daemons.map((daemon) => daemon.stop()));
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await server.stopAndRemove();
});

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits until the limit was reached, stops the traffic, and expects no violations. */
async function expectNoViolations({ ledger, floodingSender, stopAndVerify }: Traffic): Promise<void> {
  await expect.poll(() => ledger.rateLimitedSenders.has(floodingSender), { timeout: 40_000 }).toBe(true);
  expect(await stopAndVerify()).toEqual([]);
  const senders = new Set(ledger.acknowledged.map(({ sender }) => sender));
  const most = [...senders].map((sender) => ({ sender, most: ledger.peakPerMinute(sender) }));
  expect(most.filter((counted) => counted.most > LIMIT)).toEqual([]);
  expect(await sequenceErrors()).toEqual({ gaps: [], holes: [] });
}

/** Returns missing and duplicate sequence numbers of senders and inboxes in the database. */
async function sequenceErrors() {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const rows = async (sql: string) => (await client.query(sql)).rows;
  const found = {
    gaps: await rows("SELECT sender FROM wires GROUP BY sender HAVING max(sender_no) <> count(*)"),
    holes: await rows("SELECT handle FROM inbox GROUP BY handle HAVING max(seq) <> count(*)"),
  };
  await client.end();
  return found;
}

describe("three daemons on one PostgreSQL keep their guarantees under load", () => {
  // [D12-durable] [D5-nothing-skipped] [D4-window]
  it("when a daemon is killed and started again", async () => {
    const traffic = await startTraffic("killed", daemons, daemons[0]!);
    for (const victim of [daemons[1]!, daemons[2]!]) {
      await traffic.waitForAcknowledged(40);
      await victim.kill();
      await traffic.waitForAcknowledged(20);
      await victim.restart();
    }
    const back = performance.now();
    await traffic.waitForAcknowledged(40);
    expect(traffic.ledger.failedRequests[1]).toBeGreaterThan(0);
    expect(traffic.ledger.countAcknowledgedBy(2, back)).toBeGreaterThan(0);
    await expectNoViolations(traffic);
  });

  // [D12-durable] [D5-nothing-skipped] [D4-window]
  it("when PostgreSQL is killed and started again", async () => {
    const traffic = await startTraffic("crashed", daemons, daemons[0]!);
    for (const signal of ["SIGQUIT", "SIGKILL"] as const) {
      await traffic.waitForAcknowledged(40);
      await server.crash(signal);
      await pause(500);
      await server.start();
      const back = performance.now();
      await traffic.waitForAcknowledged(40);
      for (const n of [0, 1, 2])
        await expect
          .poll(() => traffic.ledger.countAcknowledgedBy(n, back), { timeout: 30_000 })
          .toBeGreaterThan(0);
    }
    await expectNoViolations(traffic);
  });

  // [D12-durable] [D5-nothing-skipped] [D4-window]
  it("when connections are cut during transactions and directly after commits", async () => {
    const traffic = await startTraffic("cut", daemons, daemons[0]!);
    for (const moment of ["after-insert", "after-commit", "after-insert", "after-commit"] as const) {
      for (const proxy of proxies) proxy.cutAt(moment, 2);
      await traffic.waitForAcknowledged(20);
    }
    for (const proxy of proxies) {
      await traffic.waitForAcknowledged(10);
      proxy.cutAll();
    }
    await traffic.waitForAcknowledged(20);
    await expect
      .poll(() => Math.min(...proxies.map(({ cuts }) => cuts)), { timeout: 30_000 })
      .toBeGreaterThan(3);
    await expectNoViolations(traffic);
  });

  // [D12-durable] [D5-nothing-skipped] [D4-window]
  it("when the connections of one daemon stall and resume", async () => {
    const traffic = await startTraffic("stalled", daemons, daemons[0]!);
    await traffic.waitForAcknowledged(40);
    proxies[1]!.stall();
    const stalled = performance.now();
    // Waits until the daemon has timed out its stalled requests.
    await expect.poll(() => traffic.ledger.failedRequests[1] ?? 0, { timeout: 30_000 }).toBeGreaterThan(0);
    // The other daemons continue once PostgreSQL has ended the sessions that hold locks.
    const acknowledgedByOthers = () =>
      traffic.ledger.countAcknowledgedBy(0, stalled) + traffic.ledger.countAcknowledgedBy(2, stalled);
    await expect.poll(acknowledgedByOthers, { timeout: 30_000 }).toBeGreaterThan(0);
    proxies[1]!.resume();
    const back = performance.now();
    await expect
      .poll(() => traffic.ledger.countAcknowledgedBy(1, back), { timeout: 30_000 })
      .toBeGreaterThan(0);
    await expectNoViolations(traffic);
  });

  describe("when the clocks of two daemons are wrong, one behind and one ahead", () => {
    const MINUTES = 60_000;
    let behind: TestDaemon;
    let ahead: TestDaemon;
    beforeAll(async () => {
      [behind, ahead] = (await Promise.all(
        [-7 * MINUTES, 7 * MINUTES].map((off) =>
          startDaemon({ args: argsFor(server.url), env: skewedClockEnv(off) }),
        ),
      )) as [TestDaemon, TestDaemon];
    });
    afterAll(() => Promise.all([behind.stop(), ahead.stop()]));

    // [D4-window] [D5-nothing-skipped]
    it("with concurrent traffic", async () => {
      const traffic = await startTraffic("clocks", [daemons[0]!, behind, ahead], daemons[0]!);
      await traffic.waitForAcknowledged(100);
      for (const n of [0, 1, 2]) expect(traffic.ledger.countAcknowledgedBy(n)).toBeGreaterThan(0);
      await expectNoViolations(traffic);
      // All daemons were available, so no request may have failed by a conflict or a timeout.
      expect(traffic.ledger.failedRequests).toEqual([]);
    });

    // [D4-window] [D1-times]
    it("with a limit that all daemons share, and times from the server's clock", async () => {
      const agent = await daemons[0]!.createAgent("timely");
      const post = (daemon: TestDaemon) =>
        daemon.client(agent.key).post("/wires", { to: agent.slug, text: "x" });
      const began = Date.now();
      await mapConcurrently(Array.from({ length: LIMIT }), () => post(behind));
      const replies = await Promise.all([ahead, daemons[0]!, behind].map(post));
      // If the test took longer than a minute, the limit is no longer reached.
      if (Date.now() - began < MINUTES) expect(replies.map(({ status }) => status)).toEqual([429, 429, 429]);
      const { wires } = await expectOk(agent.get("/inbox"));
      for (const { created_at } of wires) {
        expect(Date.parse(created_at)).toBeGreaterThan(began - MINUTES);
        expect(Date.parse(created_at)).toBeLessThan(Date.now() + MINUTES);
      }
    });
  });
});

describe("when notifications between daemons are lost", () => {
  for (const how of ["swallow", "cut"] as const) {
    // [D5-wait] [D9-key-stops-everywhere]
    it(`daemons poll, so that a long-poll returns and a revoked key is rejected: ${how}`, async () => {
      for (const proxy of proxies) proxy.disruptNotifications(how);
      const reader = await daemons[0]!.createAgent(`deaf-${how}`);
      const sender = await daemons[0]!.createAgent(`mute-${how}`);
      const elsewhere = daemons[1]!.client(reader.key);
      const held = expectOk(elsewhere.get("/inbox?wait=60"));
      await pause(500);
      const began = performance.now();
      const { id } = await sendWire(sender, reader.slug);
      expect((await held).wires).toMatchObject([{ id }]);
      expect(performance.now() - began).toBeLessThan(30_000);

      await expectOk(reader.owner.delete(`/keys/${reader.keyId}`));
      const status = async () => (await elsewhere.get("/profile")).status;
      await expect.poll(status, { timeout: 20_000 }).toBe(401);
      for (const proxy of proxies) expect(proxy.disruptedNotifications).toBeGreaterThan(0);
    });
  }
});
