/** Three daemons on one PostgreSQL, each behind a proxy that can disturb its connections. */
import { startDaemon, type TestDaemon } from "../../../test/harness/daemon.js";
import { type PostgresProxy, startPostgresProxy } from "../../../test/harness/postgres-proxy.js";
import { type EmbeddedServer, startEmbedded } from "../../../test/harness/postgres-server.js";
import { databaseProblems } from "../../check/database.js";
import { observeOverHttp } from "../../check/over-http.js";
import { verify } from "../../check/verify.js";
import { countDeleted, createWorld } from "../../load/create-world.js";
import { Http } from "../../load/http.js";
import { Load } from "../../load/load.js";
import { daemonFlags, type World } from "../../load/world.js";
import type { Life } from "../../scenario.js";
import { dataFolder } from "../service.js";

const DAEMONS = 3;
/** The campaign kills servers, but not the machine. Replicas need `wal_level` and `max_wal_senders`. */
export const SETTINGS = [
  ...["fsync=off", "full_page_writes=off", "shared_buffers=64MB", "autovacuum=off"],
  ...["wal_level=replica", "max_wal_senders=4", "deadlock_timeout=200ms"],
];

export interface Cluster {
  /** The server that the daemons use. A failover changes it. */
  server: EmbeddedServer;
  proxies: PostgresProxy[];
  daemons: TestDaemon[];
}

export type Fault = (cluster: Cluster, life: Life) => Promise<void>;

export interface ClusterOptions {
  /** Starts a connection pooler between the proxies and the server. Returns its URL. */
  connect?(server: EmbeddedServer): Promise<string>;
  work(cluster: Cluster, world: World): Promise<string[]>;
}

export async function withCluster(life: Life, { connect, work }: ClusterOptions): Promise<string[]> {
  const cluster: Cluster = { server: await startEmbedded(SETTINGS), proxies: [], daemons: [] };
  let next = 0;
  // Each request goes to the next daemon.
  const http = new Http(() => cluster.daemons[next++ % cluster.daemons.length]!.base, 20_000);
  try {
    const perMinute = life.random.chance(0.5) ? 300 : undefined;
    const dataDir = dataFolder(life);
    const seed = { dataDir: `${dataDir}/seed`, databaseUrl: cluster.server.url };
    const world = await createWorld(life, { ...seed, perMinute, http });
    const url = (await connect?.(cluster.server)) ?? cluster.server.url;
    for (let n = 0; n < DAEMONS; n++) {
      const proxy = await startPostgresProxy(url);
      cluster.proxies.push(proxy);
      const args = [...daemonFlags(perMinute), "--database-url", proxy.url];
      cluster.daemons.push(await startDaemon({ args, dataDir: `${dataDir}/${n}` }));
    }
    const violations = await work(cluster, world);
    for (const [name, count] of Object.entries(world.ledger.counts)) life.count(name, count);
    await countDeleted(life, world, dataDir, cluster.server.url);
    return violations;
  } finally {
    await http.close();
    await Promise.all(cluster.daemons.map((daemon) => daemon.kill()));
    await Promise.all(cluster.proxies.map((proxy) => proxy.close()));
    await cluster.server.stopAndRemove();
  }
}

/**
 * Injects random faults under load. After each fault, checks that wires can be sent, and compares the ledger.
 */
export async function disturb(
  life: Life,
  cluster: Cluster,
  world: World,
  { faults, rounds }: { faults: Record<string, Fault>; rounds: number },
): Promise<string[]> {
  const load = new Load(world, { survivesLoss: true, unavailableIsUnknown: true });
  const names = Object.keys(faults);
  for (let round = 1; round <= Math.ceil(rounds * life.scale); round++) {
    const name = names[life.random.below(names.length)]!;
    life.at(`round ${round}, ${name}`);
    const stop = new AbortController();
    const running = load.run(stop.signal);
    await world.ledger.waitForAcknowledged(life.random.below(150), 5_000);
    await faults[name]!(cluster, life);
    life.count(name);
    await world.ledger.waitForAcknowledged(30, 30_000);
    stop.abort();
    await running;
    const before = world.ledger.counts.acknowledged;
    await load.runFor(1_000);
    if (world.ledger.counts.acknowledged === before && world.perMinute === undefined)
      return [`no wire was sent after ${name}`];
    const violations = await compareCluster(life, cluster, world);
    if (violations.length > 0) return violations;
  }
  return [];
}

async function compareCluster(life: Life, { server }: Cluster, world: World): Promise<string[]> {
  life.count("comparisons");
  return [...verify(world, await observeOverHttp(world)), ...(await databaseProblems("", server.url))];
}
