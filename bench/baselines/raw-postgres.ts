/**
 * Measures PostgreSQL and its driver without HTTP and posting rules. It inserts the rows that POST /wires
 * stores for a DM, each in one durable INSERT, 64 at a time. Arguments: the URL of a database, the duration
 * in seconds and, if known, the process id of the server. Prints the results as JSON.
 */
import pg from "pg";
import { isoTime, now } from "../../src/kernel/clock.js";
import { newId } from "../../src/kernel/ids.js";
import * as dataset from "../data/dataset.js";
import { Random } from "../data/random.js";
import { textOf } from "../data/text.js";
import { quoteOf } from "../data/wires.js";
import { cpuOfFamily } from "../servers/usage.js";

const IN_FLIGHT = 64;
const WARM_UP_MS = 500;

const INSERT = `
  WITH next AS (SELECT nextval('wires_pk_seq') AS pk), wire AS (
    INSERT INTO wires (pk, id, sender, sender_no, recipient, thread, created_at, doc)
    SELECT pk, $1, $2, $3, $4, pk, $5, $6 FROM next)
  INSERT INTO inbox (handle, seq, kind, ref) SELECT $4, $7, 1, pk FROM next`;

const [url, seconds] = [process.argv[2]!, Number(process.argv[3])];
const databasePid = process.argv[4] === undefined ? undefined : Number(process.argv[4]);
const pool = new pg.Pool({ connectionString: url, max: IN_FLIGHT });
const heads = new Map<number, number>();
const { rows } = await pool.query<{ handle: string; seq: string }>(
  "SELECT handle, max(seq) AS seq FROM inbox GROUP BY handle",
);
for (const { handle, seq } of rows) heads.set(Number(handle), Number(seq));

const random = new Random(7);
const texts = Array.from({ length: 2_000 }, () => textOf(random, 200));
let row = 0;

function nextRow(): (string | number)[] {
  const n = ++row;
  const recipient = 1 + random.below(dataset.AGENTS);
  const seq = (heads.get(recipient) ?? 0) + 1;
  heads.set(recipient, seq);
  const id = newId();
  const payload = random.chance(0.5) ? quoteOf(random) : null;
  const wire = {
    ...{ id, sender_id: id, recipient_id: id, space_id: null },
    ...{ sender: dataset.slugOf(n % dataset.AGENTS), recipient: dataset.slugOf(recipient), space: null },
    ...{ text_body: texts[n % texts.length]!, payload, schema_ref: null, reply_to: null, thread_id: id },
    ...{ reply_rule: null, tombstone: null, created_at: isoTime(now()) },
    ...{ origin: { sent_by: "agent", approved: false, relation: "stranger" }, hops: 0 },
  };
  const doc = JSON.stringify(wire);
  return [id, 1 + random.below(dataset.AGENTS), 1_000_000 + n, recipient, now(), doc, seq];
}

/** Inserts rows for this duration. Returns their number. */
async function insertFor(milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds;
  const client = await pool.connect();
  let inserted = 0;
  for (; performance.now() < end; inserted++)
    await client.query({ name: "insert", text: INSERT, values: nextRow() });
  client.release();
  return inserted;
}

async function insertAtOnce(milliseconds: number): Promise<number> {
  const counts = await Promise.all(Array.from({ length: IN_FLIGHT }, () => insertFor(milliseconds)));
  return counts.reduce((sum, count) => sum + count, 0);
}

// Open the connections and prepare the statement on each of them before the measurement.
await insertAtOnce(WARM_UP_MS);
const database = databasePid === undefined ? undefined : cpuOfFamily(databasePid);
const started = performance.now();
const cpu = process.cpuUsage();
const inserted = await insertAtOnce(seconds * 1_000);
const elapsed = (performance.now() - started) / 1_000;
const { user, system } = process.cpuUsage(cpu);
const found = {
  throughput: inserted / elapsed,
  cpu: (user + system) / inserted,
  ...(database !== undefined && { database: ((cpuOfFamily(databasePid!)! - database) * 1_000) / inserted }),
};
process.stdout.write(`${JSON.stringify(found)}\n`);
await pool.end();
