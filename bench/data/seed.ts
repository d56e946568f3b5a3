/** Generates databases of any size. Each is generated once and kept in a folder that git ignores. */
import { createHash } from "node:crypto";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { now } from "../../src/kernel/clock.js";
import { sha256 } from "../../src/kernel/hash.js";
import { KEY_DISPLAY_LENGTH } from "../../src/kernel/ids.js";
import { insertKey } from "../../src/store/accounts/api-keys.js";
import { handleByPk, insertHandle } from "../../src/store/accounts/handles.js";
import type { Transaction } from "../../src/store/engine/engine.js";
import { migrations } from "../../src/store/engine/migrations/index.js";
import { RowsParameter, sql } from "../../src/store/engine/sql.js";
import { moveCheckpoints } from "../../src/store/inbox/checkpoints.js";
import { openStore, type Store } from "../../src/store/index.js";
import { insertWires } from "../../src/store/posting/insert.js";
import { insertSpace } from "../../src/store/spaces.js";
import { updateHandleListing, updateSchemaListing, updateSpaceListing } from "../../src/store/switchboard.js";
import { PATHS } from "../paths.js";
import * as dataset from "./dataset.js";
import { type SeededWire, type Times, WireSource } from "./wires.js";

/** Version of the generated data. Increment it when the data changes. */
const GENERATION = 2;
/**
 * Number of wires per statement, and per transaction. A large transaction is faster, because a page that many
 * of its wires change is written only once.
 */
const BATCH = 5_000;
const TRANSACTION = 500_000;
/**
 * Number of wires that are generated in one turn of the event loop, while the database stores earlier ones.
 */
const TURN = 250;
/** A cache of at most 4 GiB, because a transaction changes most pages of the indexes by handle. */
const CACHE = "PRAGMA cache_size = -4194304";

const FORMAT = createHash("sha256")
  .update(JSON.stringify([GENERATION, migrations.map(({ sql }) => sql)]))
  .digest("hex")
  .slice(0, 8);

export interface Seeding {
  wires: number;
  /** Number of handles, for rows that need more than 1,000. */
  agents?: number;
  distribution?: dataset.Distribution;
  /** When the wires were sent; default: from January 2026 on. */
  times?: Times;
}

/**
 * Returns the file of a database, and generates it if it does not exist.
 * @param say called with progress messages
 */
export async function seededDatabase(
  { wires, distribution = dataset.STANDARD, agents = distribution.agents }: Omit<Seeding, "times">,
  say: (line: string) => void,
): Promise<string> {
  const name = distribution.isGrowing ? "growing" : "wires";
  const file = join(PATHS.data, `${name}-${wires}-agents-${agents}-${FORMAT}.db`);
  if (await exists(file)) return file;
  await mkdir(PATHS.data, { recursive: true });
  const partial = `${file}.partial`;
  // Removes the files of an interrupted generation, because a marker of another database would stop this one.
  for (const suffix of ["", "-wal", "-shm", "-lock", "-lock-journal", "-id"])
    await rm(partial + suffix, { force: true });
  const started = now();
  await generate(partial, { wires, agents, distribution }, say);
  await rename(partial, file);
  say(`generated ${wires} wires in ${Math.round((now() - started) / 1_000)} s: ${file}`);
  return file;
}

/** Generates a database in a file that does not exist yet. */
export async function generate(file: string, seeding: Seeding, say: (line: string) => void): Promise<void> {
  say(`generating ${seeding.wires} wires …`);
  const store = await openStore(`sqlite:${file}`);
  try {
    await fill(store, seeding, say);
  } finally {
    await store.engine.close();
  }
  await rm(`${file}-lock`, { force: true });
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Fills an empty database of either engine. */
export async function fill(
  { engine }: Store,
  { wires, distribution = dataset.STANDARD, agents = distribution.agents, times }: Seeding,
  say: (line: string) => void,
): Promise<void> {
  const { handleIds, spaceIds } = await engine.write((tx) => populate(tx, agents));
  if (distribution.isGrowing) await engine.write((tx) => listAgents(tx, agents));
  const source = new WireSource(wires, handleIds, spaceIds, distribution, times);
  const started = now();
  for (let first = 1; first <= wires; first += TRANSACTION) {
    const last = Math.min(first + TRANSACTION - 1, wires);
    await engine.write((tx) => storeWires(tx, source, first, last));
    // Give the checkpointer time, because it waits until the writer has nothing to do.
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (last % 100_000 === 0) say(`  ${last} of ${wires}, ${Math.round((now() - started) / 1_000)} s`);
  }
  const checkpoints = Array.from({ length: distribution.agents }, (_, agent) => {
    const unread = agent < dataset.READERS ? dataset.UNREAD : 0;
    return { handle: agent + 1, seq: Math.max(source.inboxHead(agent) - unread, 0), at: now() };
  });
  await engine.write((tx) => moveCheckpoints.run(tx, checkpoints));
}

/** Stores the wires `first` to `last`. While the database stores a batch, the next one is generated. */
async function storeWires(tx: Transaction, source: WireSource, first: number, last: number): Promise<void> {
  if (tx.engine === "sqlite") await tx.run(CACHE);
  let storing: Promise<void> = Promise.resolve();
  for (let start = first; start <= last; start += BATCH) {
    const batch: SeededWire[] = [];
    for (let pk = start; pk < start + BATCH && pk <= last; pk++) {
      batch.push(source.next(pk));
      if (pk % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await storing;
    storing = storeBatch(tx, start, batch);
  }
  await storing;
}

async function storeBatch(tx: Transaction, first: number, batch: readonly SeededWire[]): Promise<void> {
  await insertWires(
    tx,
    batch.map(({ wire }) => wire),
  );
  await castVotes(tx, first, batch);
}

const OPEN = { allow_text: true, accepted_schemas: [], votable: true };
const QUOTES = { allow_text: true, accepted_schemas: [dataset.QUOTE_SUBJECT], votable: false };
/** Number of handles per account. Handles of the same account are contacts of each other. */
const HANDLES_PER_ACCOUNT = 5;

async function populate(tx: Transaction, agents: number) {
  const at = Date.UTC(2025, 11, 31);
  const handleIds = Array.from({ length: agents }, (_, n) => dataset.idOf("handle", n, at));
  const spaceIds = Array.from({ length: dataset.SPACES }, (_, n) => dataset.idOf("space", n, at));
  for (const [n, id] of handleIds.entries()) {
    const account = 1 + Math.floor(n / HANDLES_PER_ACCOUNT);
    if (n % HANDLES_PER_ACCOUNT === 0) {
      await tx.run(
        "INSERT INTO accounts (pk, id, issuer, subject, email, created_at) VALUES (?, ?, 'bench', ?, ?, ?)",
        [
          account,
          dataset.idOf("account", account, at),
          `human-${account}`,
          `human-${account}@example.com`,
          at,
        ],
      );
    }
    const settings = { display_name: null, bio: null, tags: [], discoverable: false };
    const inbox_rule = { allow_text: true, accepted_schemas: [], votable: false };
    const handle = await insertHandle(tx, {
      ...settings,
      contact_policy: "open",
      inbox_rule,
      id,
      slug: dataset.slugOf(n),
      account,
      createdAt: at,
    });
    const key = dataset.keyOf(n);
    await insertKey(tx, {
      id: dataset.idOf("key", n, at),
      handle: handle.pk,
      hash: sha256(key),
      prefix: key.slice(0, KEY_DISPLAY_LENGTH),
      name: null,
      createdAt: at,
      expiresAt: null,
    });
  }
  await tx.run(
    "INSERT INTO schemas (subject, version, compat, json_schema, registrar, created_at) VALUES (?, 1, 'none', ?, 1, ?)",
    [dataset.QUOTE_SUBJECT, JSON.stringify(dataset.QUOTE_SCHEMA), at],
  );
  await updateSchemaListing(tx, dataset.QUOTE_SUBJECT, 1);
  for (const [n, id] of spaceIds.entries()) {
    const rule = n === dataset.QUOTE_SPACE ? QUOTES : OPEN;
    const space = await insertSpace(tx, {
      id,
      slug: dataset.spaceSlugOf(n),
      visibility: "public",
      posting_rights: "anyone",
      root_rule: rule,
      reply_rule: rule,
      allow_wire_reply_rules: false,
      description: null,
      tags: [],
      retain_days: null,
      creator: { pk: 1, account: 1 },
      createdAt: at,
    });
    await updateSpaceListing(tx, space);
  }
  return { handleIds, spaceIds };
}

/** Lists every `LISTED_EVERY`-th agent in the switchboard. */
async function listAgents(tx: Transaction, agents: number): Promise<void> {
  for (let agent = 0; agent < agents; agent += dataset.LISTED_EVERY) {
    const bio = `A ${dataset.LISTED_WORD} of agents`;
    await tx.run("UPDATE handles SET discoverable = 1, bio = ? WHERE pk = ?", [bio, agent + 1]);
    await updateHandleListing(tx, (await handleByPk(tx, agent + 1))!);
  }
}

const VOTES = new RowsParameter({ wire: "integer", handle: "integer" });
const INSERT_VOTES = sql`INSERT INTO votes (wire, handle) SELECT wire, handle FROM ${VOTES.table("cast_votes")}`;
const COUNTS = new RowsParameter({ wire: "integer", votes: "integer" });
const COUNT_VOTES = sql`UPDATE wires SET vote_count = c.votes FROM ${COUNTS.table("c")} WHERE wires.pk = c.wire`;

async function castVotes(tx: Transaction, first: number, batch: readonly SeededWire[]): Promise<void> {
  const votes = batch.flatMap(({ voters }, n) => voters.map((handle) => [first + n, handle]));
  const counts = batch.flatMap(({ voters }, n) => (voters.length > 0 ? [[first + n, voters.length]] : []));
  await tx.run(INSERT_VOTES, [VOTES.bind(votes)]);
  await tx.run(COUNT_VOTES, [COUNTS.bind(counts)]);
}
