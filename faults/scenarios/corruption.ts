/**
 * Damaged files: the daemon refuses them with one clear line and exit code 1, or serves what it acknowledged,
 * or says what is damaged. It never loses anything silently.
 */
import { execFile } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../../bench/data/random.js";
import { readMarker } from "../../src/store/engine/sqlite/marker.js";
import { COMMAND, startDaemon, type TestDaemon } from "../../test/harness/daemon.js";
import { withDatabase } from "../../test/harness/database.js";
import { databaseProblems } from "../check/database.js";
import type { Observed } from "../check/observed.js";
import { observeOverHttp } from "../check/over-http.js";
import { verify } from "../check/verify.js";
import { countDeleted, createWorld } from "../load/create-world.js";
import { Http } from "../load/http.js";
import { now } from "../load/ledger.js";
import { Load, pause } from "../load/load.js";
import { daemonFlags, type World } from "../load/world.js";
import type { Life, Scenario } from "../scenario.js";
import { dataFolder } from "./service.js";

const DAMAGES_PER_LIFE = 12;
/** Time after which the marker file of the database counts every stored wire. */
const MARKED_MS = 1_500;
/** Time for the daemon to write its log after a response. */
const LOGGED_MS = 500;

interface Damage {
  name: string;
  /**
   * Damages a copy of the files that a killed daemon left. Returns false if they cannot be damaged in this
   * way.
   */
  apply(dataDir: string, random: Random): Promise<boolean> | boolean;
  /**
   * The required reaction of the daemon: refuse the files, serve everything, report the damage, or serve an
   * earlier state. A WAL ends at a damaged byte. If a wire is missing that the marker file counts, the daemon
   * must report this. Later wires may be missing without a report.
   */
  outcome: "refused" | "served" | "told" | "earlier";
}

const DAMAGES: readonly Damage[] = [
  { name: "byte-flipped-in-database", apply: flipByteIn("wireroom.db"), outcome: "told" },
  { name: "byte-flipped-in-wal", apply: flipByteIn("wireroom.db-wal"), outcome: "earlier" },
  { name: "wal-cut", apply: cutShort("wireroom.db-wal"), outcome: "told" },
  { name: "wal-deleted", apply: deleted("wireroom.db-wal"), outcome: "told" },
  { name: "shm-deleted", apply: deleted("wireroom.db-shm"), outcome: "served" },
  { name: "shm-filled-with-noise", apply: noise("wireroom.db-shm"), outcome: "served" },
  { name: "database-emptied", apply: emptied("wireroom.db"), outcome: "refused" },
  { name: "database-deleted", apply: deleted("wireroom.db"), outcome: "refused" },
  { name: "newer-version", apply: newerVersion, outcome: "refused" },
];

export const corruption: Scenario = {
  name: "corruption",
  title: "flipped bytes, cut and deleted files, a newer version, a second daemon",
  weight: 2,
  async run(life) {
    const dataDir = dataFolder(life);
    let daemon: TestDaemon | undefined;
    const http = new Http(() => daemon!.base);
    try {
      // The daemon that creates the world also copies the agents from the WAL into the database file, so that
      // every earlier state has them.
      const world = await createWorld(life, { dataDir, http });
      daemon = await startDaemon({ args: daemonFlags(undefined), dataDir });
      const load = new Load(world, { maxText: life.random.chance(0.5) ? 6_000 : 300 });
      await load.runFor(2_000 * life.scale);
      const second = await refusalOf(dataDir);
      if (second) return [`a second daemon on the folder: ${second}`];
      life.count("second-daemon");
      // Kill the daemon under load, so that the WAL contains more than the last checkpoint has copied.
      const ending = new AbortController();
      const running = load.run(ending.signal);
      await world.ledger.waitForAcknowledged(50 + life.random.below(300), 5_000);
      if (life.random.chance(0.5)) {
        ending.abort();
        await running;
        await pause(MARKED_MS);
      }
      await daemon.kill();
      await running;
      const killedAt = now();
      for (let n = 0; n < Math.ceil(DAMAGES_PER_LIFE * life.scale); n++) {
        const damage = DAMAGES[life.random.below(DAMAGES.length)]!;
        life.at(`${damage.name} (${n + 1})`);
        const problems = await survives(life, world, { dataDir, killedAt }, damage);
        if (problems.length > 0) return problems.map((problem) => `${damage.name}: ${problem}`);
      }
      await countDeleted(life, world, dataDir);
      return world.ledger.violations;
    } finally {
      await http.close();
      await daemon?.kill();
    }
  },
};

async function survives(
  life: Life,
  world: World,
  { dataDir, killedAt }: { dataDir: string; killedAt: number },
  damage: Damage,
): Promise<string[]> {
  const copy = join(life.folder, "damaged");
  rmSync(copy, { recursive: true, force: true });
  cpSync(dataDir, copy, { recursive: true });
  if (!(await damage.apply(copy, life.random))) return [];
  life.count(damage.name);
  let daemon: TestDaemon;
  try {
    daemon = await startDaemon({ args: daemonFlags(undefined), dataDir: copy });
  } catch (error) {
    life.count("refused");
    if (damage.outcome === "served") return [(error as Error).message];
    return unclear((error as Error).message);
  }
  const http = new Http(() => daemon.base);
  try {
    if (damage.outcome === "refused") return ["the daemon starts"];
    const copied = { ...world, http, ledger: world.ledger.forCopy() };
    const observed = await observeOverHttp(copied).catch((error: Error) => error);
    const violations =
      observed instanceof Error
        ? [observed.message]
        : verify(world, observed, { from: killedAt, to: killedAt });
    if (violations.length === 0) {
      life.count("served");
      return [];
    }
    await pause(LOGGED_MS);
    const isTold = /"level":[456]0/.test(daemon.log()) || (await databaseProblems(copy)).length > 0;
    if (isTold && damage.outcome !== "served") {
      life.count("told");
      return [];
    }
    if (damage.outcome !== "earlier" || observed instanceof Error) return violations;
    const unmentioned = await missingMarkedWires(dataDir, copy);
    if (unmentioned > 0)
      return [`${unmentioned} wires are missing that the marker counts, but nothing says so`];
    life.count("served-earlier-state");
    return verify(world, observed, { from: lastComplete(world, observed, killedAt), to: killedAt });
  } finally {
    await http.close();
    await daemon.kill();
  }
}

/** Returns the number of wires that the marker of the original counts, but that are missing in the copy. */
async function missingMarkedWires(dataDir: string, copy: string): Promise<number> {
  const marker = await readMarker(join(dataDir, "wireroom.db"));
  const [row] = await withDatabase(copy, (db) =>
    db.all<{ newest: number }>("SELECT coalesce(max(pk), 0) AS newest FROM wires"),
  );
  return (marker?.newest.wires ?? 0) - row!.newest;
}

/** Returns a time before which an earlier state lacks nothing. */
function lastComplete({ ledger }: World, { inboxes, feeds }: Observed, killedAt: number): number {
  const wires = [...[...inboxes.values()].map((inbox) => inbox.wires), ...feeds.values()].flat();
  const ids = new Set(wires.map(({ id }) => id));
  const missing = [...ledger.byId.values()].filter(({ id }) => !ids.has(id!));
  // Go back a little more, because votes, removals and cursors shortly before the first missing wire may be
  // missing too.
  return Math.min(killedAt, ...missing.map(({ startedAt }) => startedAt)) - 3_000;
}

/**
 * Checks that a refusal is exit code 1 and one line without a stack, after log lines about what is missing.
 */
export function unclear(message: string): string[] {
  const [, code, log] = /^the daemon exited with (\S+): ([\s\S]*)$/.exec(message) ?? [];
  const lines = (log ?? message)
    .trim()
    .split("\n")
    .filter((line) => !(line.startsWith("{") && line.includes("lacks rows that were acknowledged")));
  if (code === "1" && lines.length === 1 && !/ {4}at /.test(message)) return [];
  return [`the refusal is not one line with exit code 1: ${message.slice(0, 500)}`];
}

/** Starts a second daemon on the folder of a running one. Returns what is wrong with its refusal. */
async function refusalOf(dataDir: string): Promise<string | undefined> {
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    const args = [COMMAND, "daemon", "--port", "0", "--data-dir", dataDir];
    execFile(process.execPath, args, { timeout: 60_000 }, (error, _stdout, text) =>
      resolve({ code: error?.code ?? 0, stderr: text }),
    );
  });
  return unclear(`the daemon exited with ${code}: ${stderr}`)[0];
}

function flipByteIn(name: string): Damage["apply"] {
  return (dataDir, random) => {
    const file = join(dataDir, name);
    if (!existsSync(file)) return false;
    const bytes = readFileSync(file);
    if (bytes.length === 0) return false;
    const place = random.below(bytes.length);
    bytes[place] = bytes[place]! ^ (1 << random.below(8));
    writeFileSync(file, bytes);
    return true;
  };
}

function cutShort(name: string): Damage["apply"] {
  return (dataDir, random) => {
    const file = join(dataDir, name);
    if (!existsSync(file)) return false;
    const { size } = statSync(file);
    if (size === 0) return false;
    truncateSync(file, random.below(size));
    return true;
  };
}

function deleted(name: string): Damage["apply"] {
  return (dataDir) => {
    const file = join(dataDir, name);
    if (!existsSync(file)) return false;
    rmSync(file);
    return true;
  };
}

function emptied(name: string): Damage["apply"] {
  return (dataDir) => {
    truncateSync(join(dataDir, name), 0);
    return true;
  };
}

function noise(name: string): Damage["apply"] {
  return (dataDir, random) => {
    const file = join(dataDir, name);
    if (!existsSync(file)) return false;
    writeFileSync(
      file,
      readFileSync(file).map(() => random.below(256)),
    );
    return true;
  };
}

async function newerVersion(dataDir: string): Promise<boolean> {
  await withDatabase(dataDir, async (db) => {
    const columns = await db.all<{ name: string }>("SELECT name FROM pragma_table_info('migrations')");
    const names = columns.map(({ name }) => name);
    const values = names.map((name) => (name === "id" ? 9_999 : name === "name" ? "future" : 1));
    await db.run(
      `INSERT INTO migrations (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
      ...values,
    );
  });
  return true;
}
