/** Load of workers that claim jobs of a space and finish them, as fast as possible. */
import { Pool } from "undici";
import { cpuOf, cpuOfFamily } from "../servers/usage.js";

export interface JobLoad {
  task: "jobs";
  url: string;
  pid: number;
  /** Process id of the database server, if there is one. */
  database?: number | undefined;
  space: string;
  /** The `Authorization` header of each worker. */
  workers: string[];
  seconds: number;
}

export interface Jobs {
  /** Jobs per second. */
  throughput: number;
  /** CPU time of the daemon and of the database server per job in microseconds. */
  cpu: number | undefined;
  database: number | undefined;
}

export async function runJobs({ url, pid, database, space, workers, seconds }: JobLoad): Promise<Jobs> {
  const pool = new Pool(url, { connections: workers.length });
  const send = async (authorization: string, method: "POST" | "PUT", path: string, body: object) => {
    const headers = { authorization, "content-type": "application/json" };
    const response = await pool.request({ method, path: `/v1${path}`, headers, body: JSON.stringify(body) });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
    return JSON.parse(text) as { claims: { wire: { id: string }; token: string }[] };
  };
  const end = performance.now() + seconds * 1_000;
  const used = () => ({ cpu: cpuOf(pid)?.all, database: database && cpuOfFamily(database) });
  const before = used();
  const started = performance.now();
  let finished = 0;
  const work = async (authorization: string) => {
    while (performance.now() < end) {
      const { claims } = await send(authorization, "POST", `/spaces/${space}/claims`, {});
      const [claim] = claims;
      if (!claim) throw new Error(`no job is left after ${finished}`);
      await send(authorization, "PUT", `/wires/${claim.wire.id}/claim`, { token: claim.token, done: true });
      finished++;
    }
  };
  try {
    await Promise.all(workers.map(work));
  } finally {
    await pool.destroy();
  }
  const after = used();
  const each = (from: number | undefined, to: number | undefined) =>
    from === undefined || to === undefined ? undefined : ((to - from) * 1_000) / finished;
  return {
    throughput: (finished * 1_000) / (performance.now() - started),
    cpu: each(before.cpu, after.cpu),
    database: each(before.database, after.database),
  };
}
