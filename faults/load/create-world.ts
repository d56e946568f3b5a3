/** Creates the agents and spaces of a load, and wires that are old when the load begins. */
import { startDaemon, type TestDaemon } from "../../test/harness/daemon.js";
import { type Database, databaseUrlOf, withDatabaseAt } from "../../test/harness/database.js";
import type { Life } from "../scenario.js";
import { Http } from "./http.js";
import { Ledger } from "./ledger.js";
import { Load } from "./load.js";
import { type Agent, daemonFlags, OLD_AFTER_MS, oldBefore, SPACES, type World } from "./world.js";

const OLD_WIRES = 2_000;
const FEWEST_OLD_WIRES = 300;
const LONGEST_FILLING_MS = 60_000;
const OWNER = "owner@example.com";
/** An expiry that no clock reaches, in seconds. */
const NEVER_S = 4_000_000_000;

export interface WorldOptions {
  dataDir: string;
  /** URL of the database, if it is not in the folder. */
  databaseUrl?: string;
  perMinute?: number | undefined;
  agents?: number;
  /** See `World`. */
  hasNotices?: boolean | undefined;
  clockJumps?: boolean;
  /** Client for the daemons of the load, which start later. */
  http: Http;
}

/**
 * Creates a service in a folder, and stops its daemon. All its wires are older than the retention of
 * {@link daemonFlags}, so the next daemons hide them at once, and delete them under the load.
 */
export async function createWorld(
  life: Life,
  {
    dataDir,
    databaseUrl,
    perMinute,
    agents: count = 8,
    hasNotices = true,
    clockJumps = false,
    http,
  }: WorldOptions,
): Promise<World> {
  const database = databaseUrl ? ["--database-url", databaseUrl] : [];
  const daemon = await startDaemon({ args: [...daemonFlags(undefined), ...database], dataDir });
  const first = new Http(() => daemon.base);
  try {
    const agents = await createAgents(daemon, count);
    const human = await daemon.issuer.token({ claims: { sub: "owner", email: OWNER, exp: NEVER_S } });
    const world = {
      agents,
      human,
      hasNotices,
      http: first,
      random: life.random,
      perMinute: undefined,
      clockJumps,
    };
    const oldWires = await fill({ ...world, ledger: new Ledger(), oldWires: 0 }, life.scale);
    await Promise.all(agents.map((agent) => moveToEnd(agent, first)));
    if (hasNotices) await holdWiresOf(agents.at(-1)!, world);
    await daemon.stop();
    await withDatabaseAt(databaseUrl ?? databaseUrlOf(dataDir), (opened) => makeOld(opened, agents));
    return { ...world, ledger: new Ledger(), http, perMinute, oldWires };
  } finally {
    await first.close();
    await daemon.kill();
  }
}

async function createAgents(daemon: TestDaemon, count: number): Promise<Agent[]> {
  const made = await Promise.all(
    Array.from({ length: count }, (_, n) => daemon.createAgent(`agent-${n}`, {}, "owner")),
  );
  for (const slug of Object.values(SPACES)) {
    const rule = {
      allow_text: true,
      votable: slug === SPACES.ballot,
      claimable: slug === SPACES.queue,
    };
    const space = { slug, visibility: "public", root_rule: rule, reply_rule: { ...rule, claimable: false } };
    const { status, body } = await made[0]!.post("/spaces", space);
    if (status !== 201) throw new Error(`cannot create the space: ${status} ${JSON.stringify(body)}`);
  }
  const members = made.slice(1).map(({ slug }) => ({ handle: slug, role: "poster" }));
  const { status, body } = await made[0]!.put(`/spaces/${SPACES.queue}`, { members });
  if (status !== 200) throw new Error(`cannot add the workers: ${status} ${JSON.stringify(body)}`);
  return Promise.all(
    made.map(async ({ slug, key, get }) => {
      const start = (await get("/inbox")).body.next_cursor as string;
      return { slug, key, start, itemsBefore: 0, isHeld: false };
    }),
  );
}

/** Sends wires, removes some, and votes for some. Returns how many were sent. */
async function fill(world: World, scale: number): Promise<number> {
  const ending = new AbortController();
  const running = new Load(world, { label: "old-" }).run(ending.signal);
  const count = Math.max(OLD_WIRES * scale, FEWEST_OLD_WIRES);
  await world.ledger.waitForAcknowledged(count, LONGEST_FILLING_MS);
  ending.abort();
  await running;
  if (world.ledger.violations.length > 0) throw new Error(world.ledger.violations.join("; "));
  return world.ledger.counts.acknowledged;
}

async function moveToEnd(agent: Agent, http: Http): Promise<void> {
  for (let isEnd = false; !isEnd; ) {
    const path = `/inbox?limit=100&cursor=${encodeURIComponent(agent.start)}`;
    const reply = await http.send(agent.key, "GET", path);
    if (reply?.status !== 200) throw new Error(`cannot read the inbox of ${agent.slug}: ${reply?.status}`);
    isEnd = reply.body.next_cursor === agent.start;
    agent.start = reply.body.next_cursor;
  }
}

async function holdWiresOf(agent: Agent, { human, http }: Pick<World, "human" | "http">): Promise<void> {
  const reply = await http.send(human, "PUT", `/handles/${agent.slug}/egress`, { mode: "approval" });
  if (reply?.status !== 200) throw new Error(`cannot hold the wires of ${agent.slug}: ${reply?.status}`);
  agent.isHeld = true;
}

async function makeOld(database: Database, agents: readonly Agent[]): Promise<void> {
  await database.run(`UPDATE wires SET created_at = created_at - ${OLD_AFTER_MS}`);
  const ends = await database.all<{ slug: string; seq: number }>(
    "SELECT h.slug, max(i.seq) AS seq FROM inbox i JOIN handles h ON h.pk = i.handle GROUP BY h.slug",
  );
  for (const { slug, seq } of ends) agents.find((agent) => agent.slug === slug)!.itemsBefore = Number(seq);
}

/** Adds the number of deleted old wires to the life's numbers. */
export async function countDeleted(
  life: Life,
  world: World,
  dataDir: string,
  url = databaseUrlOf(dataDir),
): Promise<void> {
  const [row] = await withDatabaseAt(url, (database) =>
    database.all<{ n: number }>(`SELECT count(*) AS n FROM wires WHERE created_at < ${oldBefore()}`),
  );
  life.count("old-wires-deleted", world.oldWires - Number(row!.n));
}
