/**
 * Measures the time from the response to a sender until `wireroom watch` has started the command. For
 * comparison, also measures a bare start of the command.
 */
import { execFileSync, spawn } from "node:child_process";
import { constants, createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { keyOf, slugOf } from "../data/dataset.js";
import { medianMetric } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Report } from "../measure/report.js";
import { median, percentile } from "../measure/statistics.js";
import { PATHS } from "../paths.js";
import { stopProcess } from "../servers/process.js";
import { answer, get, post } from "./requests.js";
import type { Row } from "./row.js";

const SENDER = 20;
const RECEIVER = 21;
/** Number of wires, and of bare starts, in a round, per second of `--seconds`. */
const PER_SECOND = 20;
/** Longer than the watch takes to acknowledge an item and wait for the next one. */
const PAUSE_MS = 30;
/** Writes a line into the pipe as soon as it starts. */
const COMMAND = ["/bin/sh", "-c", 'echo started > "$PIPE"'];

async function run(bench: BenchEnvironment): Promise<Report[]> {
  const server = await bench.daemon(10_000);
  const folder = await bench.folder();
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  // Open the pipe for reading and writing, so that it always has a reader and a writer.
  const handle = await open(pipe, constants.O_RDWR);
  const input = createReadStream(pipe, { fd: handle.fd, autoClose: false });
  const lines = createInterface({ input });
  bench.atEnd(async () => {
    lines.close();
    input.destroy();
    await handle.close();
  });
  let started: (() => void) | undefined;
  lines.on("line", () => started?.());
  const nextStart = () =>
    new Promise<number>((resolve) => {
      started = () => resolve(performance.now());
    });

  const env = {
    ...process.env,
    PIPE: pipe,
    WIREROOM_URL: `${server.url}/v1`,
    WIREROOM_API_KEY: keyOf(RECEIVER),
    WIREROOM_CONFIG_DIR: folder,
  };
  const watch = spawn(process.execPath, [PATHS.command, "watch", "--", ...COMMAND], { env, stdio: "ignore" });
  bench.atEnd(() => stopProcess(watch));

  const unread = async () =>
    JSON.parse(await answer(server, get(RECEIVER, "/inbox?limit=1"))).wires.length as number;
  const wake = async () => {
    const start = nextStart();
    await answer(server, post(SENDER, "/wires", { to: `@${slugOf(RECEIVER)}`, text: "wake" }));
    const sent = performance.now();
    return (await start) - sent;
  };
  const bare = async () => {
    const start = nextStart();
    const begun = performance.now();
    const child = spawn(COMMAND[0]!, COMMAND.slice(1), { env, stdio: "ignore" });
    child.unref();
    return (await start) - begun;
  };
  // Wait until the watch has handled the items that the database already contains.
  while ((await unread()) > 0) await sleep(100);
  await wake();
  await sleep(500);

  const rounds: { wake: number[]; bare: number[] }[] = [];
  for (let round = 0; round < bench.settings.rounds; round++) {
    const times = { wake: [] as number[], bare: [] as number[] };
    for (let n = 0; n < Math.max(5, PER_SECOND * bench.settings.seconds); n++) {
      times.wake.push(await wake());
      await sleep(PAUSE_MS);
      times.bare.push(await bare());
      await sleep(PAUSE_MS);
    }
    rounds.push(times);
  }
  const sorted = (values: readonly number[]) => Float64Array.from(values).sort();
  const p99 = (values: readonly number[]) => percentile(sorted(values), 0.99);
  const summary = (name: string, side: "wake" | "bare") => ({
    name,
    p50: median(rounds.map((round) => median(round[side]))),
    p99: median(rounds.map((round) => p99(round[side]))),
  });
  return [
    {
      title:
        "From the response to the sender until `wireroom watch` has started a command, beside a bare start",
      findings: [
        medianMetric(
          "p99, beyond the bare start",
          "ms",
          rounds.map((round) => p99(round.wake) - p99(round.bare)),
          { atMost: 60 },
        ),
      ],
      figures: [summary("woken by watch", "wake"), summary("bare start", "bare")],
    },
  ];
}

export const wakeRows: Row[] = [{ name: "wake", run }];
