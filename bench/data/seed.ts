/** Databases of any size, generated once and kept in a folder that git does not see. */
import { createHash } from "node:crypto";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { now } from "../../src/kernel/clock.js";
import { sha256 } from "../../src/kernel/hash.js";
import { KEY_DISPLAY_LENGTH } from "../../src/kernel/ids.js";
import { insertKey } from "../../src/store/accounts/api-keys.js";
import { insertHandle } from "../../src/store/accounts/handles.js";
import type { Transaction } from "../../src/store/engine/engine.js";
import { migrations } from "../../src/store/engine/migrations/index.js";
import { RowsOf, written } from "../../src/store/engine/sql.js";
import { moveCheckpoints } from "../../src/store/inbox/inbox.js";
import { openStore, type Store } from "../../src/store/index.js";
import { insertSpace } from "../../src/store/spaces.js";
import { insertWires } from "../../src/store/wires/insert.js";
import { PATHS } from "../paths.js";
import { type SeededWire, WireSource } from "./wires.js";
import * as world from "./world.js";

/** To be raised when what is generated changes. */
const GENERATION = 1;
/** Wires that one transaction inserts. */
const BATCH = 5_000;

const FORMAT = createHash("sha256")
  .update(JSON.stringify([GENERATION, migrations.map(({ sql }) => sql)]))
  .digest("hex")
  .slice(0, 8);

export interface Seeding {
  wires: number;
  /** Handles beyond the usual thousand, for rows about many agents. */
  agents?: number;
}

/** The file of such a database; generated where it is not there yet. @param say told of progress */
export async function seededDatabase(
  { wires, agents = world.AGENTS }: Seeding,
  say: (line: string) => void,
): Promise<string> {
  const file = join(PATHS.data, `wires-${wires}-agents-${agents}-${FORMAT}.db`);
  if (await exists(file)) return file;
  await mkdir(PATHS.data, { recursive: true });
  const partial = `${file}.partial`;
  for (const suffix of ["", "-wal", "-shm", "-lock"]) await rm(partial + suffix, { force: true });
  const started = now();
  say(`generating ${wires} wires …`);
  const store = await openStore(`sqlite:${partial}`);
  try {
    await fill(store, wires, agents, say);
  } finally {
    await store.engine.close();
  }
  await rm(`${partial}-lock`, { force: true });
  await rename(partial, file);
  say(`generated ${wires} wires in ${Math.round((now() - started) / 1_000)} s: ${file}`);
  return file;
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Puts everything into an empty store, of either engine. */
export async function fill(
  { engine }: Store,
  wires: number,
  agents: number,
  say: (line: string) => void,
): Promise<void> {
  const { handleIds, spaceIds } = await engine.write((tx) => populate(tx, agents));
  const source = new WireSource(wires, handleIds, spaceIds);
  for (let first = 1; first <= wires; first += BATCH) {
    const batch: SeededWire[] = [];
    for (let pk = first; pk < first + BATCH && pk <= wires; pk++) batch.push(source.next(pk));
    await engine.write(async (tx) => {
      await insertWires(
        tx,
        batch.map(({ wire }) => wire),
        // PostgreSQL takes numbers from a sequence, which daemons go on with.
        tx.engine === "sqlite" ? first : undefined,
      );
      await castVotes(tx, first, batch);
    });
    if ((first - 1) % 100_000 === 0 && first > 1) say(`  ${first - 1} of ${wires}`);
  }
  const checkpoints = Array.from({ length: world.AGENTS }, (_, agent) => {
    const unread = agent < world.READERS ? world.UNREAD : 0;
    return { handle: agent + 1, seq: Math.max(source.inboxHead(agent) - unread, 0) };
  });
  await engine.write((tx) => moveCheckpoints.run(tx, checkpoints));
}

const OPEN = { allow_text: true, accepted_schemas: [], votable: true };
const QUOTES = { allow_text: true, accepted_schemas: [world.QUOTE_SUBJECT], votable: false };
/** Handles of one account: they are contacts of each other. */
const HANDLES_PER_ACCOUNT = 5;

async function populate(tx: Transaction, agents: number) {
  const at = Date.UTC(2025, 11, 31);
  const handleIds = Array.from({ length: agents }, (_, n) => world.idOf("handle", n, at));
  const spaceIds = Array.from({ length: world.SPACES }, (_, n) => world.idOf("space", n, at));
  for (const [n, id] of handleIds.entries()) {
    const account = 1 + Math.floor(n / HANDLES_PER_ACCOUNT);
    if (n % HANDLES_PER_ACCOUNT === 0) {
      await tx.run(
        "INSERT INTO accounts (pk, id, issuer, subject, email, created_at) VALUES (?, ?, 'bench', ?, ?, ?)",
        [account, world.idOf("account", account, at), `human-${account}`, `human-${account}@example.com`, at],
      );
    }
    const settings = { display_name: null, bio: null, tags: [], discoverable: false };
    const inbox_rule = { allow_text: true, accepted_schemas: [], votable: false };
    const handle = await insertHandle(tx, {
      ...settings,
      contact_policy: "open",
      inbox_rule,
      id,
      slug: world.slugOf(n),
      account,
      createdAt: at,
    });
    const key = world.keyOf(n);
    await insertKey(tx, {
      id: world.idOf("key", n, at),
      handle: handle.pk,
      hash: sha256(key),
      prefix: key.slice(0, KEY_DISPLAY_LENGTH),
      createdAt: at,
      expiresAt: null,
    });
  }
  await tx.run(
    "INSERT INTO schemas (subject, version, compat, json_schema, registrar, created_at) VALUES (?, 1, 'none', ?, 1, ?)",
    [world.QUOTE_SUBJECT, JSON.stringify(world.QUOTE_SCHEMA), at],
  );
  for (const [n, id] of spaceIds.entries()) {
    const rule = n === world.QUOTE_SPACE ? QUOTES : OPEN;
    await insertSpace(tx, {
      id,
      slug: world.spaceSlugOf(n),
      visibility: "public",
      posting_rights: "anyone",
      root_rule: rule,
      reply_rule: rule,
      allow_wire_reply_rules: false,
      description: null,
      tags: [],
      creator: { pk: 1, account: 1 },
      createdAt: at,
    });
  }
  return { handleIds, spaceIds };
}

const VOTES = new RowsOf({ wire: "integer", handle: "integer" });
const INSERT_VOTES = written(
  (engine) => `INSERT INTO votes (wire, handle) SELECT wire, handle FROM ${VOTES.as(engine, "cast_votes")}`,
);
const COUNTS = new RowsOf({ wire: "integer", votes: "integer" });
const COUNT_VOTES = written(
  (engine) => `UPDATE wires SET vote_count = c.votes FROM ${COUNTS.as(engine, "c")} WHERE wires.pk = c.wire`,
);

async function castVotes(tx: Transaction, first: number, batch: readonly SeededWire[]): Promise<void> {
  const votes = batch.flatMap(({ voters }, n) => voters.map((handle) => [first + n, handle]));
  const counts = batch.flatMap(({ voters }, n) => (voters.length > 0 ? [[first + n, voters.length]] : []));
  await tx.run(INSERT_VOTES, [VOTES.bind(votes)]);
  await tx.run(COUNT_VOTES, [COUNTS.bind(counts)]);
}
