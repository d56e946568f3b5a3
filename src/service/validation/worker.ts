import { constants, platform, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { findBreakingChanges } from "../../domain/compatibility/index.js";
import { checkSchema, type JsonObject, Stopped, type Validator } from "../../domain/json-schema/index.js";
import { monotonicNs } from "../../kernel/clock.js";
import { CompiledSchemas } from "./compiled-schemas.js";
import { judge } from "./judge.js";
import {
  PHASES,
  type Phase,
  type Report,
  type Result,
  STATUS,
  type Task,
  type Verdict,
  type WorkerData,
} from "./protocol.js";

/** The program of a worker thread: runs tasks one after the other, and keeps its status in shared memory. */

/** Characters: 64 of the largest documents, or some thousands of the usual size. A thread has 256 MB. */
const MAX_COMPILED = 2 * 1024 * 1024;

const port = parentPort!;
const { status, isLowPriority } = workerData as WorkerData;
const schemas = new CompiledSchemas(MAX_COMPILED);

// On Linux a thread has a priority of its own, elsewhere the process has one. Lowering it takes no privilege.
if (isLowPriority && platform() === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** Results are held back for so long at most, so that those of a quick batch are one message. */
const REPORT_INTERVAL_NS = 1_000_000n;

/** Loaded with the first comparison: most threads make none, and its automata take longer to load than all else. */
let compare: typeof findBreakingChanges;
const loadCompare = async () => {
  compare ??= (await import("../../domain/compatibility/index.js")).findBreakingChanges;
};

/** Settled once all batches received so far are done. */
let previous = Promise.resolve();
port.on("message", (batch: string) => {
  const tasks = JSON.parse(batch) as Task[];
  if (tasks.some(({ kind }) => kind === "compare")) previous = previous.then(loadCompare);
  previous = previous.then(() => runBatch(tasks));
});
report([]);

function runBatch(tasks: readonly Task[]): void {
  let results: Result[] = [];
  let now = monotonicNs();
  let sent = now;
  for (const task of tasks) {
    Atomics.store(status, STATUS.candidate, 0n);
    Atomics.store(status, STATUS.used, 0n);
    enter(task.kind === "validate" ? "validating" : "checking", now);
    Atomics.store(status, STATUS.job, BigInt(task.id));
    results.push(run(task));
    Atomics.store(status, STATUS.job, 0n);
    now = monotonicNs();
    if (now - sent < REPORT_INTERVAL_NS) continue;
    report(results);
    results = [];
    sent = now;
  }
  report(results);
}

function report(results: Result[]): void {
  port.postMessage(JSON.stringify({ results, dropped: schemas.takeDropped() } satisfies Report));
}

function enter(phase: Phase, now: bigint): void {
  Atomics.store(status, STATUS.since, now);
  Atomics.store(status, STATUS.phase, PHASES[phase]);
}

function run(task: Task): Result {
  const { id } = task;
  if (task.kind === "check") return { id, reasons: checkSchema(task.document) };
  if (task.kind === "compare") return { id, reasons: compare(task.older, task.newer) };
  const job = BigInt(id);
  try {
    const isStopped = () => Atomics.load(status, STATUS.stop) === job;
    const verdict = validate(task.candidates, task.payload, isStopped);
    return verdict ? { id, verdict } : { id, missing: true };
  } catch (error) {
    if (error instanceof Stopped) return { id, stopped: true };
    throw error;
  }
}

function validate(
  candidates: { key: string; document?: JsonObject }[],
  payload: unknown,
  isStopped: () => boolean,
): Verdict | undefined {
  const validatorOf = ({ key, document }: (typeof candidates)[number], index: number) => {
    Atomics.store(status, STATUS.candidate, BigInt(index));
    return schemas.get(key) ?? (document && compile(key, document));
  };
  return judge(candidates, validatorOf, payload, isStopped);
}

function compile(key: string, document: JsonObject): Validator {
  const now = monotonicNs();
  Atomics.add(status, STATUS.used, now - Atomics.load(status, STATUS.since));
  enter("compiling", now);
  const schema = schemas.compile(key, document);
  enter("validating", monotonicNs());
  return schema;
}
