/** Entry point of a worker thread. It runs tasks one at a time, and writes its status to shared memory. */
import { constants, platform, setPriority } from "node:os";
import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import type { findBreakingChanges } from "../../domain/compatibility/index.js";
import {
  checkSchema,
  type JsonObject,
  ValidationStopped,
  type Validator,
} from "../../domain/json-schema/index.js";
import { monotonicNs } from "../../kernel/clock.js";
import { CompiledSchemas } from "./compiled-schemas.js";
import {
  PHASES,
  type Phase,
  type Report,
  type Result,
  STATUS,
  type Task,
  toMs,
  type Verdict,
  type WorkerData,
} from "./protocol.js";
import { validateCandidates } from "./validate-candidates.js";
import { UNCOUNTED_MS } from "./work-limits.js";

/**
 * Maximum memory of the cache, in characters of documents without patterns: 64 documents of maximum size. The
 * heap limit of the thread is 256 MB.
 */
const MAX_COMPILED_SIZE = 2 * 1024 * 1024;
/**
 * Heap size above which the cache is cleared after a batch. A cached pattern gets larger while it is used:
 * its automaton can take 8 MB.
 */
const MAX_HEAP_BYTES = 160 * 1024 * 1024;

const port = parentPort!;
const { status, isLowPriority } = workerData as WorkerData;
const schemas = new CompiledSchemas(MAX_COMPILED_SIZE);

// Changes the priority only on Linux, because other systems would change it for the whole process.
if (isLowPriority && platform() === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/**
 * How long a thread collects results before it sends them. Several short tasks then share one message to the
 * pool.
 */
const REPORT_INTERVAL_NS = 1_000_000n;

/**
 * Loaded by the first comparison. Most threads never compare schemas, and this module takes longest to load.
 */
let compare: typeof findBreakingChanges;
const loadCompare = async () => {
  compare ??= (await import("../../domain/compatibility/index.js")).findBreakingChanges;
};

/** Resolves when all earlier batches are finished, so that batches run one at a time. */
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
    const result = run(task);
    Atomics.store(status, STATUS.job, 0n);
    const ended = monotonicNs();
    const ms = toMs(ended - now);
    results.push(ms > UNCOUNTED_MS ? { ...result, ms } : result);
    now = ended;
    if (now - sent < REPORT_INTERVAL_NS) continue;
    report(results);
    results = [];
    sent = now;
  }
  if (getHeapStatistics().used_heap_size > MAX_HEAP_BYTES) schemas.clear();
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
    if (error instanceof ValidationStopped) return { id, stopped: true };
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
  return validateCandidates(candidates, validatorOf, payload, isStopped);
}

function compile(key: string, document: JsonObject): Validator {
  const now = monotonicNs();
  Atomics.add(status, STATUS.used, now - Atomics.load(status, STATUS.since));
  enter("compiling", now);
  const schema = schemas.compile(key, document);
  enter("validating", monotonicNs());
  return schema;
}
