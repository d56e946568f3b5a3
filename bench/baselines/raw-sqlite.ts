/**
 * Measures SQLite and the disk without HTTP and posting rules. It runs the inserts of POST /wires with group
 * commit, 64 at a time. Arguments: a copy of a database, the duration in seconds. Prints the results as JSON.
 */

import type { BatchedWrite } from "../../src/store/engine/engine.js";
import { openStore } from "../../src/store/index.js";
import { insertWires, type NewWire } from "../../src/store/posting/insert.js";
import * as dataset from "../data/dataset.js";
import { Random } from "../data/random.js";
import { textOf } from "../data/text.js";

const IN_FLIGHT = 64;

const [file, seconds] = [process.argv[2]!, Number(process.argv[3])];
const store = await openStore(`sqlite:${file}`);
const heads = new Map<number, number>();
for (const { handle, seq } of await store.engine.reader.all<{ handle: number; seq: number }>(
  "SELECT handle, max(seq) AS seq FROM inbox GROUP BY handle",
)) {
  heads.set(handle, seq);
}
const inserting: BatchedWrite<NewWire, undefined> = {
  async run(tx, wires) {
    await insertWires(tx, wires);
    return wires.map(() => undefined);
  },
};

const random = new Random(7);
const texts = Array.from({ length: 2_000 }, () => textOf(random, 200));
let inserted = 0;

function nextWire(): NewWire {
  const n = ++inserted;
  const recipient = 1 + random.below(dataset.AGENTS);
  const inboxSeq = (heads.get(recipient) ?? 0) + 1;
  heads.set(recipient, inboxSeq);
  const id = dataset.idOf("raw", n, Date.now());
  const text_body = texts[n % texts.length]!;
  const doc = JSON.stringify({
    id,
    sender_id: id,
    recipient_id: id,
    space_id: null,
    text_body,
    thread_id: id,
  });
  return {
    id,
    sender: 1 + random.below(dataset.AGENTS),
    sender_no: 1_000_000 + n,
    recipient,
    space: null,
    notices: [],
    thread: null,
    reply_to: null,
    parent_votable: null,
    reply_rule: null,
    created_at: Date.now(),
    doc,
    terms: null,
    inbox_seq: inboxSeq,
  };
}

const started = performance.now();
const cpu = process.cpuUsage();
const end = started + seconds * 1_000;
await Promise.all(
  Array.from({ length: IN_FLIGHT }, async () => {
    while (performance.now() < end) await store.engine.writeBatched(inserting, nextWire());
  }),
);
const elapsed = (performance.now() - started) / 1_000;
const { user, system } = process.cpuUsage(cpu);
process.stdout.write(
  `${JSON.stringify({ throughput: inserted / elapsed, cpu: (user + system) / inserted })}\n`,
);
await store.engine.close();
