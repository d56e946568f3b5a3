/**
 * A server with a synchronous replica dies, and the daemons continue on the replica. The replica has
 * everything that was acknowledged, even if it received nothing for a while.
 */
import { type PostgresProxy, startPostgresProxy } from "../../../test/harness/postgres-proxy.js";
import { type EmbeddedServer, startReplica } from "../../../test/harness/postgres-server.js";
import { pause } from "../../load/load.js";
import type { Life, Scenario } from "../../scenario.js";
import { type Cluster, disturb, type Fault, SETTINGS, withCluster } from "./cluster.js";
import { asOther } from "./crash.js";

const ROUNDS = 3;
/** Longer than the timeouts of the daemons for statements (10 s) and responses (15 s). */
const LONGEST_STALL_MS = 17_000;

interface Pair {
  replica: EmbeddedServer;
  /** The connection of the replica to its server. */
  link: PostgresProxy;
}

const FAULTS: Record<string, Fault> = {
  async "server-lost"(cluster, life) {
    const pair = await addReplica(cluster);
    await pause(life.random.below(2_000));
    await failOver(cluster, pair, life);
  },
  async "replica-stalled-and-server-lost"(cluster, life) {
    const pair = await addReplica(cluster);
    await pause(life.random.below(1_000));
    pair.link.stall();
    await pause(life.random.below(LONGEST_STALL_MS));
    if (life.random.chance(0.3)) {
      pair.link.resume();
      await pause(life.random.below(500));
    }
    await failOver(cluster, pair, life);
  },
};

export const failover: Scenario = {
  name: "failover",
  title: "three daemons on a PostgreSQL that is lost, and whose synchronous replica is promoted",
  weight: 1,
  run: (life) =>
    withCluster(life, {
      work: (cluster, world) => disturb(life, cluster, world, { faults: FAULTS, rounds: ROUNDS }),
    }),
};

/** Adds a replica. Resolves once every commit waits for the replica. */
async function addReplica({ server }: Cluster): Promise<Pair> {
  const link = await startPostgresProxy(server.adminUrl);
  const replica = await startReplica(server, link.url, SETTINGS);
  await asOther(server.adminUrl, async (admin) => {
    await admin.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await admin.query("SELECT pg_reload_conf()");
    for (let state = ""; state !== "sync"; await pause(50)) {
      const { rows } = await admin.query("SELECT sync_state FROM pg_stat_replication");
      state = rows[0]?.sync_state;
    }
  });
  return { replica, link };
}

/** Ends the server for good, promotes its replica, and connects the daemons to it. */
async function failOver(cluster: Cluster, { replica, link }: Pair, { random, count }: Life): Promise<void> {
  const { server: lost } = cluster;
  const how = (["SIGKILL", "SIGQUIT", "stop"] as const)[random.below(3)]!;
  if (how === "stop") {
    // A server that stops waits until its replica has everything.
    link.cutAll();
    await lost.shutDown();
  } else await lost.crash(how);
  await link.close();
  cluster.server = replica;
  await lost.stopAndRemove();
  await asOther(replica.adminUrl, (admin) => admin.query("SELECT pg_promote()"));
  count("promotions");
  for (const proxy of cluster.proxies) {
    proxy.switchTo(replica.url);
    // Cut connections to the lost server, as a load balancer does when it notices the loss.
    proxy.cutAll();
    await pause(random.below(300));
  }
}
