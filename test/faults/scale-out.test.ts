/**
 * Three daemons on one PostgreSQL, under load, while one part after the other is harmed. Beside the load runs a checker
 * that knows what was acknowledged: it is in its inbox once, no cursor passes over it, and no limit is passed.
 */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clockOff } from "../harness/clock.js";
import { startDaemon, type TestDaemon } from "../harness/daemon.js";
import { inFlight } from "../harness/in-flight.js";
import { type PostgresProxy, startPostgresProxy } from "../harness/postgres-proxy.js";
import { type EmbeddedServer, startEmbedded } from "../harness/postgres-server.js";
import { ok, send } from "../harness/talk.js";
import { startTraffic, type Traffic } from "../harness/traffic/index.js";

/** Wires in a minute that each sender may send. */
const LIMIT = 120;

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
  await server.stop();
});

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Ends the traffic once the limit has been reached; it was not passed, and nothing else may have gone wrong. */
async function expectFlawless({ ledger, hammer, finish }: Traffic): Promise<void> {
  await expect.poll(() => ledger.refused.has(hammer), { timeout: 40_000 }).toBe(true);
  expect(await finish()).toEqual([]);
  const senders = new Set(ledger.acknowledged.map(({ sender }) => sender));
  const most = [...senders].map((sender) => ({ sender, most: ledger.mostInAMinute(sender) }));
  expect(most.filter((counted) => counted.most > LIMIT)).toEqual([]);
  expect(await flaws()).toEqual({ gaps: [], holes: [] });
}

/** What a look into the tables finds: numbers of a sender or of an inbox that are missing, or given twice. */
async function flaws() {
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

describe("three daemons on one PostgreSQL under load", () => {
  it("a daemon is killed, and started again [D12-durable] [D5-nothing-skipped] [D4-window]", async () => {
    const traffic = await startTraffic("killed", daemons, daemons[0]!);
    for (const victim of [daemons[1]!, daemons[2]!]) {
      await traffic.more(40);
      await victim.kill();
      await traffic.more(20);
      await victim.restart();
    }
    const back = performance.now();
    await traffic.more(40);
    expect(traffic.ledger.unanswered[1]).toBeGreaterThan(0);
    expect(traffic.ledger.by(2, back)).toBeGreaterThan(0);
    await expectFlawless(traffic);
  });

  it("PostgreSQL is killed, and started again [D12-durable] [D5-nothing-skipped] [D4-window]", async () => {
    const traffic = await startTraffic("crashed", daemons, daemons[0]!);
    for (const signal of ["SIGQUIT", "SIGKILL"] as const) {
      await traffic.more(40);
      await server.crash(signal);
      await pause(500);
      await server.start();
      const back = performance.now();
      await traffic.more(40);
      for (const n of [0, 1, 2])
        await expect.poll(() => traffic.ledger.by(n, back), { timeout: 30_000 }).toBeGreaterThan(0);
    }
    await expectFlawless(traffic);
  });

  it("connections are cut in mid-transaction, and right after the commit [D12-durable] [D5-nothing-skipped] [D4-window]", async () => {
    const traffic = await startTraffic("cut", daemons, daemons[0]!);
    for (const moment of ["after-insert", "after-commit", "after-insert", "after-commit"] as const) {
      for (const proxy of proxies) proxy.cutAt(moment, 2);
      await traffic.more(20);
    }
    for (const proxy of proxies) {
      await traffic.more(10);
      proxy.cutAll();
    }
    await traffic.more(20);
    for (const proxy of proxies) expect(proxy.cuts).toBeGreaterThan(3);
    await expectFlawless(traffic);
  });

  it("a daemon's connections stall, and later go on [D12-durable] [D5-nothing-skipped] [D4-window]", async () => {
    const traffic = await startTraffic("stalled", daemons, daemons[0]!);
    await traffic.more(40);
    proxies[1]!.stall();
    const stalled = performance.now();
    // Until it has given up what it had under way.
    await expect.poll(() => traffic.ledger.unanswered[1] ?? 0, { timeout: 30_000 }).toBeGreaterThan(0);
    // The others go on meanwhile, once PostgreSQL has ended what holds their locks.
    const others = () => traffic.ledger.by(0, stalled) + traffic.ledger.by(2, stalled);
    await expect.poll(others, { timeout: 30_000 }).toBeGreaterThan(0);
    proxies[1]!.resume();
    const back = performance.now();
    await expect.poll(() => traffic.ledger.by(1, back), { timeout: 30_000 }).toBeGreaterThan(0);
    await expectFlawless(traffic);
  });

  describe("the clocks of two daemons are wrong, one behind and one ahead", () => {
    const MINUTES = 60_000;
    let behind: TestDaemon;
    let ahead: TestDaemon;
    beforeAll(async () => {
      [behind, ahead] = (await Promise.all(
        [-7 * MINUTES, 7 * MINUTES].map((off) =>
          startDaemon({ args: argsFor(server.url), env: clockOff(off) }),
        ),
      )) as [TestDaemon, TestDaemon];
    });
    afterAll(() => Promise.all([behind.stop(), ahead.stop()]));

    it("under load [D4-window] [D5-nothing-skipped]", async () => {
      const traffic = await startTraffic("clocks", [daemons[0]!, behind, ahead], daemons[0]!);
      await traffic.more(100);
      for (const n of [0, 1, 2]) expect(traffic.ledger.by(n)).toBeGreaterThan(0);
      await expectFlawless(traffic);
      // Nobody went away, so nobody was refused for a conflict, or for waiting too long.
      expect(traffic.ledger.unanswered).toEqual([]);
    });

    it("the limit that is reached at one is reached at all, and times are the server's [D4-window] [D1-times]", async () => {
      const agent = await daemons[0]!.agent("timely");
      const post = (daemon: TestDaemon) =>
        daemon.client(agent.key).post("/wires", { to: agent.slug, text: "x" });
      const began = Date.now();
      await inFlight(Array.from({ length: LIMIT }), () => post(behind));
      const replies = await Promise.all([ahead, daemons[0]!, behind].map(post));
      // Unless all of this took a minute.
      if (Date.now() - began < MINUTES) expect(replies.map(({ status }) => status)).toEqual([429, 429, 429]);
      const { wires } = await ok(agent.get("/inbox"));
      for (const { created_at } of wires) {
        expect(Date.parse(created_at)).toBeGreaterThan(began - MINUTES);
        expect(Date.parse(created_at)).toBeLessThan(Date.now() + MINUTES);
      }
    });
  });
});

describe("notifications between daemons are lost", () => {
  for (const how of ["swallow", "cut"] as const) {
    it(`a long-poll is answered, a revoked key is refused, by looking now and then: ${how} [D5-wait] [D9-key-stops-everywhere]`, async () => {
      for (const proxy of proxies) proxy.silence(how);
      const reader = await daemons[0]!.agent(`deaf-${how}`);
      const sender = await daemons[0]!.agent(`mute-${how}`);
      const elsewhere = daemons[1]!.client(reader.key);
      const held = ok(elsewhere.get("/inbox?wait=60"));
      await pause(500);
      const began = performance.now();
      const { id } = await send(sender, reader.slug);
      expect((await held).wires).toMatchObject([{ id }]);
      expect(performance.now() - began).toBeLessThan(30_000);

      await ok(reader.owner.delete(`/keys/${reader.keyId}`));
      const status = async () => (await elsewhere.get("/profile")).status;
      await expect.poll(status, { timeout: 20_000 }).toBe(401);
      for (const proxy of proxies) expect(proxy.silenced).toBeGreaterThan(0);
    });
  }
});
