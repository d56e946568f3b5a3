/** Runs the tasks of `pool.ts` in a worker thread, one at a time. */
import { constants, platform, setPriority } from "node:os";
import { getHeapStatistics } from "node:v8";
import { checkSchema, type JsonObject, ValidationStopped } from "../../domain/json-schema/index.js";
import { monotonicMs } from "../../kernel/clock.js";
import { CompiledSchemas } from "./compiled-schemas.js";
import { DOCUMENT_DEADLINE_MS } from "./deadlines.js";
import { type Finding, PROGRESS, type Result, type Task, type TaskMessage } from "./protocol.js";
import { validateCandidates } from "./validate-candidates.js";

/**
 * Maximum memory of the cache, in characters of documents without patterns: 64 documents of maximum size. The
 * heap limit of the thread is 256 MB.
 */
const MAX_COMPILED_SIZE = 2 * 1024 * 1024;
/**
 * Heap size above which the cache is cleared after a task. A cached pattern gets larger while it is used: its
 * automaton can take 8 MB.
 */
const MAX_HEAP_BYTES = 160 * 1024 * 1024;
/** A validation normally stops by itself within this time after its deadline. */
const STOP_TIMEOUT_MS = 250;

const schemas = new CompiledSchemas(MAX_COMPILED_SIZE);

let hasLowPriority = false;

/** Runs a task at a lower OS priority. */
export function runAtLowPriority(message: TaskMessage): Promise<Result> {
  // Other systems than Linux would change the priority of the whole process.
  if (!hasLowPriority && platform() === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  hasLowPriority = true;
  return run(message);
}

export async function run({ task, progress }: TaskMessage): Promise<Result> {
  const startedMs = monotonicMs();
  progress[PROGRESS.endMs] = startedMs + DOCUMENT_DEADLINE_MS;
  const result = await resultOf(task, progress);
  if (getHeapStatistics().used_heap_size > MAX_HEAP_BYTES) schemas.clear();
  return { ...result, ms: monotonicMs() - startedMs };
}

async function resultOf(task: Task, progress: Float64Array): Promise<Finding> {
  if (task.kind === "check") return { reasons: checkSchema(JSON.parse(task.document)) };
  if (task.kind === "validate") return validate(task, progress);
  // This module takes longest to load, and most threads never compare schemas.
  const { findBreakingChanges } = await import("../../domain/compatibility/index.js");
  return { reasons: findBreakingChanges(JSON.parse(task.older), JSON.parse(task.newer)) };
}

function validate(
  { candidates, payload, deadlineMs }: Task & { kind: "validate" },
  progress: Float64Array,
): Finding {
  let endMs = 0;
  const allow = (ms: number) => {
    endMs = monotonicMs() + ms;
    progress[PROGRESS.endMs] = endMs + STOP_TIMEOUT_MS;
  };
  const validatorOf = ({ key, document }: (typeof candidates)[number], index: number) => {
    progress[PROGRESS.candidate] = index;
    const known = schemas.get(key);
    if (known) return known;
    const leftMs = endMs - monotonicMs();
    progress[PROGRESS.endMs] = monotonicMs() + DOCUMENT_DEADLINE_MS;
    const compiled = schemas.compile(key, JSON.parse(document) as JsonObject);
    allow(leftMs);
    return compiled;
  };
  allow(deadlineMs);
  try {
    const verdict = validateCandidates(
      candidates,
      validatorOf,
      JSON.parse(payload),
      () => monotonicMs() > endMs,
    );
    return { verdict: verdict! };
  } catch (error) {
    if (error instanceof ValidationStopped) return { late: progress[PROGRESS.candidate]! };
    throw error;
  }
}
