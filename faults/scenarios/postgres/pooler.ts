/** PgBouncer in session mode between three daemons and PostgreSQL, with faults of both and of the network. */
import {
  hasPgBouncer,
  IGNORED_PARAMETERS,
  type PgBouncer,
  startPgBouncer,
} from "../../../test/harness/pgbouncer.js";
import { pause } from "../../load/load.js";
import type { Scenario } from "../../scenario.js";
import { disturb, type Fault, withCluster } from "./cluster.js";
import { asOther, FAULTS } from "./crash.js";

const ROUNDS = 5;
const SETTINGS = {
  pool_mode: "session",
  ignore_startup_parameters: IGNORED_PARAMETERS,
  default_pool_size: "100",
  max_client_conn: "400",
};

/**
 * PgBouncer drops these parameters of connections, so the role has them (docs/scaling.md#connection-poolers).
 */
const ROLE_SETTINGS = {
  statement_timeout: "10s",
  lock_timeout: "9s",
  idle_in_transaction_session_timeout: "5s",
};

export const pooler: Scenario = {
  name: "pooler",
  title: "three daemons behind PgBouncer, which is killed and stopped, as is the server behind it",
  weight: 0.7,
  unavailable: () => (hasPgBouncer() ? undefined : "no pgbouncer"),
  async run(life) {
    let pgbouncer: PgBouncer | undefined;
    try {
      return await withCluster(life, {
        async connect({ url, adminUrl }) {
          await asOther(adminUrl, async (admin) => {
            for (const [name, value] of Object.entries(ROLE_SETTINGS))
              await admin.query(`ALTER ROLE wireroom SET ${name} = '${value}'`);
          });
          pgbouncer = await startPgBouncer(url, SETTINGS);
          return pgbouncer.url;
        },
        work: (cluster, world) => {
          const own = faultsOf(pgbouncer!);
          const faults = life.random.chance(0.5) ? own : { ...FAULTS, ...own };
          return disturb(life, cluster, world, { faults, rounds: ROUNDS });
        },
      });
    } finally {
      await pgbouncer?.killAndRemove();
    }
  },
};

function faultsOf(pgbouncer: PgBouncer): Record<string, Fault> {
  const killed: Fault = async (_cluster, { random }) => {
    await pgbouncer.kill();
    await pause(random.below(1_000));
    await pgbouncer.start();
  };
  const stopped: Fault = async (_cluster, { random }) => {
    pgbouncer.signal("SIGSTOP");
    await pause(500 + random.below(3_000));
    pgbouncer.signal("SIGCONT");
  };
  return { "pooler-killed": killed, "pooler-stopped": stopped };
}
