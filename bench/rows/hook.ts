/** Measures `wireroom hook`, for which an agent waits in each turn, beside a bare start of Node. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { keyOf } from "../data/dataset.js";
import { medianMetric } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Report } from "../measure/report.js";
import { median } from "../measure/statistics.js";
import { PATHS } from "../paths.js";
import type { Row } from "./row.js";

/** Number of an agent that has 50 unread wires. */
const READER = 0;
/** Number of starts of each kind in a round, per second of `--seconds`. */
const PER_SECOND = 10;
const TARGET = { atMost: 150 };
/** Nothing listens at this port. */
const NO_DAEMON = "http://127.0.0.1:9";

async function run(bench: BenchEnvironment): Promise<Report[]> {
  const server = await bench.daemon(10_000);
  const folder = await bench.folder();
  const input = JSON.stringify({ session_id: "bench", hook_event_name: "SessionStart" });
  const hook = (url: string) => {
    const variables = { WIREROOM_URL: url, WIREROOM_API_KEY: keyOf(READER), WIREROOM_CONFIG_DIR: folder };
    return () => timeOf([PATHS.command, "hook"], input, { ...process.env, ...variables });
  };
  const kinds = [
    { name: "50 unread wires", start: hook(server.url), answers: true, target: TARGET },
    { name: "no daemon", start: hook(NO_DAEMON), answers: false, target: TARGET },
    {
      name: "bare start",
      start: () => timeOf(["-e", "0"], "", process.env),
      answers: false,
      target: undefined,
    },
  ].map((kind) => ({ ...kind, medians: [] as number[] }));
  for (let round = 0; round < bench.settings.rounds; round++) {
    const times = kinds.map((): number[] => []);
    for (let n = 0; n < PER_SECOND * bench.settings.seconds; n++) {
      for (const [k, { name, start, answers }] of kinds.entries()) {
        const { milliseconds, output } = await start();
        if (output.includes("Wireroom inbox") !== answers) throw new Error(`${name}: ${output}`);
        times[k]!.push(milliseconds);
      }
    }
    for (const [k, each] of times.entries()) kinds[k]!.medians.push(median(each));
  }
  return [
    {
      title: "wireroom hook, from its start to its end",
      findings: kinds.map(({ name, medians, target }) => medianMetric(`${name}, p50`, "ms", medians, target)),
      figures: [],
    },
  ];
}

async function timeOf(args: readonly string[], input: string, env: NodeJS.ProcessEnv) {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  // Ignore write errors, because a bare start does not read its input.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  await once(child, "close");
  return { milliseconds: performance.now() - begun, output };
}

export const hookRows: Row[] = [{ name: "hook", run }];
