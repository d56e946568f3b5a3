/** Kills `wireroom watch` and its daemon while commands fail, hang and fork. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMMAND, startDaemon, type TestDaemon } from "../../test/harness/daemon.js";
import { dropDatabaseOf } from "../../test/harness/database.js";
import { Http } from "../load/http.js";
import { pause } from "../load/load.js";
import { daemonFlags } from "../load/world.js";
import type { Life, Scenario } from "../scenario.js";
import { dataFolder } from "./service.js";

const KILLS_PER_LIFE = 200;
/** Number of kills of the watch between two kills of the daemon. */
const DAEMON_KILLED_EVERY = 4;
const THREADS = 6;
/**
 * Maximum pause between two wires of a thread. Long, because a watch that is killed all the time handles few
 * wires.
 */
const MOST_PAUSE_MS = 3_000;
const LONGEST_START_MS = 4_000;
const DRAINED_WITHIN_MS = 300_000;

/**
 * The command of the watch. The first word of the wire's text selects what it does: fail twice, hang once,
 * hang once and ignore SIGTERM, leave a process behind that keeps standard output open, take long, or just
 * end. Each run writes a line when it starts, and another just before it exits with 0.
 */
const SCRIPT = `#!/bin/sh
printf 'start %s %s\\n' "$WIREROOM_ID" "$$" >> "$RECORD"
runs=$(grep -c "^start $WIREROOM_ID " "$RECORD")
case "$WIREROOM_TEXT" in
  fail*) [ "$runs" -gt 2 ] || exit 1 ;;
  hang*) [ "$runs" -gt 1 ] || sleep 3 ;;
  stubborn*) [ "$runs" -gt 1 ] || { trap "" TERM; sleep 600; sleep 600; } ;;
  fork*) sleep 20 & ;;
  slow*) sleep 0.3 ;;
esac
printf 'end %s %s\\n' "$WIREROOM_ID" "$$" >> "$RECORD"
`;
const KINDS = ["plain", "plain", "plain", "fail", "hang", "fork", "slow"];
/** Takes as long as the time between SIGTERM and SIGKILL, so `npm test` leaves it out. */
const STUBBORN = "stubborn";

export const watch: Scenario = {
  name: "watch",
  title: "kill -9 of `wireroom watch` and of its daemon; commands that fail, hang and fork",
  weight: 4,
  async run(life) {
    const dataDir = dataFolder(life);
    const daemon = await startDaemon({ args: daemonFlags(undefined), dataDir });
    const http = new Http(() => daemon.base);
    try {
      return await killRepeatedly(life, daemon, http);
    } finally {
      await http.close();
      await daemon.kill();
      await dropDatabaseOf(dataDir);
    }
  },
};

async function killRepeatedly(life: Life, daemon: TestDaemon, http: Http): Promise<string[]> {
  const worker = await daemon.createAgent("watch-worker");
  const sender = await daemon.createAgent("watch-sender");
  const watched = new WatchedInbox(life.folder, daemon, worker.key);
  const threads: string[][] = [];
  const stop = new AbortController();
  const load = Array.from({ length: THREADS }, () => {
    const ids: string[] = [];
    threads.push(ids);
    return fill(ids, { life, http, key: sender.key, signal: stop.signal });
  });

  const kills = Math.max(5, Math.round(KILLS_PER_LIFE * life.scale));
  for (let round = 1; round <= kills; round++) {
    life.at(`kill ${round}`);
    watched.start();
    // Most kills hit a running command, and some the start of the watch.
    if (life.random.chance(0.8)) await watched.waitForCommand();
    await pause(life.random.below(800));
    await watched.kill();
    life.count("kills of watch");
    if (round % DAEMON_KILLED_EVERY !== 0) continue;
    if (life.random.chance(0.5)) watched.start();
    await daemon.kill();
    life.count("kills of the daemon");
    await pause(life.random.below(500));
    await daemon.restart();
    await watched.kill();
  }
  stop.abort();
  await Promise.all(load);

  life.at("drain");
  watched.start();
  const isDrained = await drained(http, worker.key);
  const exitCode = await watched.terminate();
  life.count("items", threads.flat().length);
  return [
    ...(isDrained ? [] : ["the inbox is not empty"]),
    // Null means that the inbox was already empty, so the signal ended a watch that was still starting.
    ...(exitCode === 0 || exitCode === null ? [] : [`watch ended with ${exitCode}`]),
    ...violationsIn(watched.record, threads, life),
  ];
}

/** A watch process that is killed and started again on the same files. */
class WatchedInbox {
  readonly #command: string;
  readonly #record: string;
  #child: ChildProcess | undefined;

  constructor(
    private readonly folder: string,
    private readonly daemon: TestDaemon,
    private readonly key: string,
  ) {
    this.#command = join(folder, "command.sh");
    this.#record = join(folder, "record");
    mkdirSync(folder, { recursive: true });
    writeFileSync(this.#command, SCRIPT, { mode: 0o700 });
    writeFileSync(this.#record, "");
  }

  /** The lines that the commands have written, in order. */
  get record(): string[] {
    return readFileSync(this.#record, "utf8").split("\n").filter(Boolean);
  }

  start(): void {
    if (this.#child) return;
    const log = openSync(join(this.folder, "watch.log"), "a");
    const options = [
      "--concurrency",
      "4",
      "--timeout",
      "1",
      "--retries",
      "1000",
      "--retry-delay",
      "0",
      "--json",
    ];
    this.#child = spawn(process.execPath, [COMMAND, "watch", ...options, "--", this.#command], {
      env: {
        ...process.env,
        RECORD: this.#record,
        WIREROOM_URL: this.daemon.base,
        WIREROOM_API_KEY: this.key,
        WIREROOM_CONFIG_DIR: join(this.folder, "config"),
      },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
  }

  /** Waits until the watch has started a command, but not long, because it may have nothing to do. */
  async waitForCommand(): Promise<void> {
    const before = this.record.length;
    const deadline = performance.now() + LONGEST_START_MS;
    while (this.record.length === before && performance.now() < deadline) await pause(10);
  }

  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Returns the exit code. */
  terminate(): Promise<number | null> {
    return this.#end("SIGTERM");
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return null;
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, "exit");
      child.kill(signal);
      await exited;
    } else appendFileSync(join(this.folder, "watch.log"), `ended by itself: ${child.exitCode}\n`);
    return child.exitCode;
  }
}

interface Sending {
  life: Life;
  http: Http;
  key: string;
  signal: AbortSignal;
}

/** Sends the wires of a thread one after the other. Adds the id of each acknowledged wire to `ids`. */
async function fill(ids: string[], { life, http, key, signal }: Sending): Promise<void> {
  const name = `${life.random.below(2 ** 31)}`;
  while (!signal.aborted) {
    const isStubborn = life.scale === 1 && life.random.chance(0.03);
    const kind = isStubborn ? STUBBORN : KINDS[life.random.below(KINDS.length)]!;
    const reply = ids[0] === undefined ? {} : { reply_to: ids[0] };
    const body = { to: "@watch-worker", text: `${kind} ${ids.length}`, ...reply };
    ids.push(await sendOnce(http, key, body, `${name}-${ids.length}`));
    await pause(life.random.below(MOST_PAUSE_MS));
  }
}

/** Repeats the request with its idempotency key until the daemon acknowledges it. */
async function sendOnce(http: Http, key: string, body: object, idempotencyKey: string): Promise<string> {
  for (;;) {
    const reply = await http.send(key, "POST", "/wires", body, { "idempotency-key": idempotencyKey });
    if (reply?.status === 201) return reply.body.id;
    await pause(100);
  }
}

async function drained(http: Http, key: string): Promise<boolean> {
  const deadline = performance.now() + DRAINED_WITHIN_MS;
  while (performance.now() < deadline) {
    const reply = await http.send(key, "GET", "/inbox");
    if (reply?.status === 200 && reply.body.wires.length === 0) return true;
    await pause(500);
  }
  return false;
}

/**
 * Compares the runs with the wires of each thread: none is missing, none starts too early, and no two
 * overlap.
 */
function violationsIn(record: readonly string[], threads: readonly string[][], life: Life): string[] {
  const threadOf = new Map(threads.flatMap((ids, thread) => ids.map((id) => [id, thread] as const)));
  const ended = new Set<string>();
  /** The latest run in each thread. */
  const latest = new Map<number, string>();
  const violations: string[] = [];
  for (const line of record) {
    const [event, id = "", pid] = line.split(" ");
    const thread = threadOf.get(id);
    if (thread === undefined) violations.push(`unknown item: ${line}`);
    else if (event === "start") {
      life.count("runs");
      const ids = threads[thread]!;
      const missing = ids.slice(0, ids.indexOf(id)).find((earlier) => !ended.has(earlier));
      if (missing) violations.push(`${id} has started before ${missing} has ended`);
      latest.set(thread, `${id} ${pid}`);
    } else {
      if (latest.get(thread) !== `${id} ${pid}`)
        violations.push(`${line}, while ${latest.get(thread)} was running`);
      if (ended.has(id)) life.count("repeated successes");
      ended.add(id);
    }
  }
  const lost = threads.flat().filter((id) => !ended.has(id));
  return [...violations, ...lost.map((id) => `${id} has never ended`)];
}
