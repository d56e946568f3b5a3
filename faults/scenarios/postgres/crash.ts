/** A PostgreSQL that crashes, whose connections are cut, stall and slow down, and whose rows others lock. */
import pg from "pg";
import { pause } from "../../load/load.js";
import type { Scenario } from "../../scenario.js";
import { disturb, type Fault, withCluster } from "./cluster.js";

const ROUNDS = 6;

/** Faults of the server and of the network. */
export const FAULTS: Record<string, Fault> = {
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
  async "network-slow"({ proxies }, { random }) {
    const network = { delayMs: 5 + random.below(60), bytesPerSecond: 50_000 + random.below(200_000) };
    for (const proxy of proxies) proxy.slowDown(network);
    await pause(1_000 + random.below(3_000));
    for (const proxy of proxies) proxy.slowDown();
  },
  async "server-read-only"({ server }, { random }) {
    await asOther(server.adminUrl, async (other) => {
      await other.query("ALTER SYSTEM SET default_transaction_read_only = on");
      await other.query("SELECT pg_reload_conf()");
      await pause(500 + random.below(1_500));
      await other.query("ALTER SYSTEM RESET default_transaction_read_only");
      await other.query("SELECT pg_reload_conf()");
    });
  },
  /** Ends the sessions of open transactions, one by one. */
  async "sessions-ended"(cluster, life) {
    await asOther(cluster.server.adminUrl, async (other) => {
      for (let n = 0; n < 20; n++) {
        const { rowCount } = await other.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = 'wireroom' AND xact_start IS NOT NULL AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1`,
        );
        life.count("ended-sessions", rowCount ?? 0);
        await pause(life.random.below(60));
      }
    });
  },
};

/** Faults by other sessions that change the same rows. */
const CONFLICTS: Record<string, Fault> = {
  /** Locks rows of agents in the other order than the daemons do, so that they wait for each other. */
  async "rows-locked"({ server }, { random, count }) {
    await asOther(server.url, async (other) => {
      const deadlocks = async () => {
        const { rows } = await other.query(
          "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
        );
        return Number(rows[0]!.deadlocks);
      };
      const before = await deadlocks();
      const { rows } = await other.query<{ pk: string }>("SELECT pk FROM handles ORDER BY pk DESC");
      for (let n = 0; n < 8; n++) {
        await other.query("BEGIN");
        for (const { pk } of rows.filter(() => random.chance(0.5))) {
          const locked = await other
            .query("SELECT FROM handles WHERE pk = $1 FOR UPDATE", [pk])
            .catch(() => undefined);
          if (!locked) break;
          await pause(random.below(40));
        }
        await other.query("ROLLBACK");
        await pause(random.below(30));
      }
      await pause(600);
      count("deadlocks", Math.max(0, (await deadlocks()) - before));
    });
  },
  /** Lets statements and commits fail as transactions with a serialization failure do. */
  async "serialization-failures"({ server }, { random }) {
    await asOther(server.url, async (other) => {
      await other.query(
        `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           IF random() < TG_ARGV[0]::float THEN RAISE EXCEPTION 'injected' USING ERRCODE = '40001'; END IF;
           RETURN NULL;
         END $$`,
      );
      await other.query(
        `CREATE TRIGGER fail_in_statement AFTER INSERT ON wires FOR EACH STATEMENT EXECUTE FUNCTION fail(0.3);
         CREATE CONSTRAINT TRIGGER fail_in_commit AFTER INSERT ON wires DEFERRABLE INITIALLY DEFERRED
           FOR EACH ROW EXECUTE FUNCTION fail(0.1)`,
      );
      await pause(1_000 + random.below(2_000));
      await other.query("DROP FUNCTION fail CASCADE");
    });
  },
};

export const postgres: Scenario = {
  name: "postgres",
  title: "three daemons on one PostgreSQL that crashes, is cut off, is slow, and whose rows others lock",
  weight: 2,
  run: (life) =>
    withCluster(life, {
      work: (cluster, world) =>
        disturb(life, cluster, world, { faults: { ...FAULTS, ...CONFLICTS }, rounds: ROUNDS }),
    }),
};

/** Runs `work` with a new session. */
export async function asOther<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
