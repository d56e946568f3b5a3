/**
 * Measures a plain work queue in PostgreSQL without HTTP: 64 workers claim a job with SKIP LOCKED, and finish
 * it, each in a durable statement. Arguments: the URL of a database, and the duration in seconds. Prints the
 * jobs per second as JSON.
 */
import pg from "pg";

const WORKERS = 64;
const JOBS = 100_000;

const CLAIM = `
  UPDATE jobs SET attempt = attempt + 1, holder = $1, until = now() + interval '10 minutes'
  WHERE id = (SELECT id FROM jobs WHERE NOT done AND until <= now() ORDER BY attempt, id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id, attempt, body`;
const FINISH = "UPDATE jobs SET done = true WHERE id = $1 AND attempt = $2 AND NOT done";

const [url, seconds] = [process.argv[2]!, Number(process.argv[3])];
const pool = new pg.Pool({ connectionString: url, max: WORKERS });
await pool.query(`
  DROP TABLE IF EXISTS jobs;
  CREATE TABLE jobs (id bigserial PRIMARY KEY, body text NOT NULL, attempt int NOT NULL DEFAULT 0, holder int,
    until timestamptz NOT NULL DEFAULT '-infinity', done boolean NOT NULL DEFAULT false);
  INSERT INTO jobs (body) SELECT repeat('x', 200) FROM generate_series(1, ${JOBS});
  CREATE INDEX jobs_open ON jobs (attempt, id) WHERE NOT done`);
await pool.query("VACUUM ANALYZE jobs");

/** Returns the number of finished jobs. */
async function work(worker: number, end: number): Promise<number> {
  const client = await pool.connect();
  let finished = 0;
  for (; performance.now() < end; finished++) {
    const { rows } = await client.query<{ id: string; attempt: number }>({
      name: "claim",
      text: CLAIM,
      values: [worker],
    });
    if (!rows[0]) throw new Error("no job is left");
    await client.query({ name: "finish", text: FINISH, values: [rows[0].id, rows[0].attempt] });
  }
  client.release();
  return finished;
}

const started = performance.now();
const counts = await Promise.all(
  Array.from({ length: WORKERS }, (_, n) => work(n, started + seconds * 1_000)),
);
const finished = counts.reduce((sum, count) => sum + count, 0);
process.stdout.write(`${JSON.stringify((finished * 1_000) / (performance.now() - started))}\n`);
await pool.end();
