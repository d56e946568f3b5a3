/** Three daemons on one PostgreSQL, whose server crashes and whose connections are cut, stall and slow down. */
import { startDaemon, type TestDaemon } from "../../test/harness/daemon.js";
import { type PostgresProxy, startPostgresProxy } from "../../test/harness/postgres-proxy.js";
import { type EmbeddedServer, startEmbedded } from "../../test/harness/postgres-server.js";
import { databaseProblems } from "../check/database.js";
import { observeOverHttp } from "../check/over-http.js";
import { verify } from "../check/verify.js";
import { Http } from "../load/http.js";
import { Load, pause } from "../load/load.js";
import { createWorld, limitFlags, type World } from "../load/world.js";
import type { Life, Scenario } from "../scenario.js";
import { dataFolder } from "./service.js";

const DAEMONS = 3;
const ROUNDS = 6;

interface Cluster {
  server: EmbeddedServer;
  proxies: PostgresProxy[];
  daemons: TestDaemon[];
}

type Fault = (cluster: Cluster, life: Life) => Promise<void>;

const FAULTS: Record<string, Fault> = {
  async "server-killed"({ server }, { random }) {
    await server.crash(random.chance(0.5) ? "SIGKILL" : "SIGQUIT");
    await pause(random.below(1_500));
    await server.start();
  },
  async "daemon-killed"({ daemons }, { random }) {
    const daemon = daemons[random.below(daemons.length)]!;
    await daemon.kill();
    await daemon.restart();
  },
  async "connections-cut"({ proxies }, { random }) {
    for (let n = 0; n < 20; n++) {
      const proxy = proxies[random.below(proxies.length)]!;
      proxy.cutAt(random.chance(0.5) ? "after-insert" : "after-commit", 1);
      await pause(random.below(100));
    }
  },
  async "all-connections-cut"({ proxies }) {
    for (const proxy of proxies) {
      proxy.cutAll();
      await pause(200);
    }
  },
  async "network-stalls"({ proxies }, { random }) {
    const proxy = proxies[random.below(proxies.length)]!;
    proxy.stall();
    await pause(500 + random.below(3_000));
    proxy.resume();
  },
  async "network-stutters"({ proxies }, { random }) {
    for (let n = 0; n < 15; n++) {
      for (const proxy of proxies) proxy.stall();
      await pause(20 + random.below(150));
      for (const proxy of proxies) proxy.resume();
      await pause(20);
    }
  },
};

export const postgres: Scenario = {
  name: "postgres",
  title: "three daemons on one PostgreSQL that crashes, is cut off and is slow",
  weight: 2,
  async run(life) {
    const server = await startEmbedded();
    const cluster: Cluster = { server, proxies: [], daemons: [] };
    let next = 0;
    // Each request goes to the next daemon.
    const http = new Http(() => cluster.daemons[next++ % cluster.daemons.length]!.base, 20_000);
    try {
      const perMinute = life.random.chance(0.5) ? 300 : undefined;
      for (let n = 0; n < DAEMONS; n++) {
        const proxy = await startPostgresProxy(server.url);
        cluster.proxies.push(proxy);
        const args = [...limitFlags(perMinute), "--database-url", proxy.url];
        const dataDir = `${dataFolder(life)}/${n}`;
        cluster.daemons.push(await startDaemon({ args, dataDir }));
      }
      const world = await createWorld(cluster.daemons[0]!, life.random, perMinute, { http });
      const violations = await disturb(life, cluster, world);
      for (const [name, count] of Object.entries(world.ledger.counts)) life.count(name, count);
      return violations;
    } finally {
      await http.close();
      await Promise.all(cluster.daemons.map((daemon) => daemon.kill()));
      await Promise.all(cluster.proxies.map((proxy) => proxy.close()));
      await server.stopAndRemove();
    }
  },
};

async function disturb(life: Life, cluster: Cluster, world: World): Promise<string[]> {
  const load = new Load(world, { survivesLoss: true, unavailableIsUnknown: true });
  const names = Object.keys(FAULTS);
  for (let round = 1; round <= Math.ceil(ROUNDS * life.scale); round++) {
    const name = names[life.random.below(names.length)]!;
    life.at(`round ${round}, ${name}`);
    const stop = new AbortController();
    const running = load.run(stop.signal);
    await world.ledger.waitForAcknowledged(life.random.below(150), 5_000);
    await FAULTS[name]!(cluster, life);
    life.count(name);
    await world.ledger.waitForAcknowledged(30, 30_000);
    stop.abort();
    await running;
    const before = world.ledger.counts.acknowledged;
    await load.runFor(1_000);
    if (world.ledger.counts.acknowledged === before && world.perMinute === undefined)
      return [`no wire was sent after ${name}`];
    life.count("comparisons");
    const violations = [
      ...verify(world, await observeOverHttp(world)),
      ...(await databaseProblems("", cluster.server.url)),
    ];
    if (violations.length > 0) return violations;
  }
  return [];
}
