/**
 * Measures graphile-worker, a work queue in PostgreSQL, in one process that runs 64 jobs at a time. Its other
 * settings are the defaults. Arguments: the URL of a database, and the duration in seconds. Prints the jobs
 * per second as JSON.
 */
import { Logger, makeWorkerUtils, run } from "graphile-worker";

const WORKERS = 64;
const JOBS_PER_SECOND = 3_000;

const [connectionString, seconds] = [process.argv[2]!, Number(process.argv[3])];
const logger = new Logger(() => () => undefined);
const utils = await makeWorkerUtils({ connectionString, logger });
await utils.migrate();
await utils.withPgClient(async (client) => {
  await client.query("DELETE FROM graphile_worker._private_jobs");
  await client.query(
    `SELECT graphile_worker.add_job('job', json_build_object('text', repeat('x', 200)))
     FROM generate_series(1, $1::int)`,
    [JOBS_PER_SECOND * seconds],
  );
  await client.query("VACUUM ANALYZE graphile_worker._private_jobs");
});
await utils.release();

let finished = 0;
const job = async () => void finished++;
const runner = await run({
  connectionString,
  concurrency: WORKERS,
  noHandleSignals: true,
  logger,
  taskList: { job },
});
const started = performance.now();
const before = finished;
await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
if (finished === JOBS_PER_SECOND * seconds) throw new Error("no job is left");
process.stdout.write(`${JSON.stringify(((finished - before) * 1_000) / (performance.now() - started))}\n`);
await runner.stop();
