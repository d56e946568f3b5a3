/** Runs tasks for `pool.ts` in a worker thread, one at a time. */
import { constants, platform, setPriority } from "node:os";
import { getHeapStatistics } from "node:v8";
import { checkSchema, type JsonObject, ValidationStopped } from "../../domain/json-schema/index.js";
import { monotonicMs } from "../../kernel/clock.js";
import { CompiledSchemas } from "./compiled-schemas.js";
import { DOCUMENT_DEADLINE_MS } from "./deadlines.js";
import { type Finding, PROGRESS, type Result, type Task, type TaskMessage } from "./protocol.js";
import { validateCandidates } from "./validate-candidates.js";

/**
 * Memory limit of the cache, in characters of documents without patterns. It fits 64 documents of maximum
 * size, and stays below the thread's heap limit.
 */
const MAX_COMPILED_SIZE = 2 * 1024 * 1024;
/**
 * Heap size above which the cache is cleared after a task. Clearing frees memory, because a cached pattern's
 * automaton grows while it is used.
 */
const MAX_HEAP_BYTES = 160 * 1024 * 1024;
/** Time that a validation gets to stop after its deadline. If it does not stop, the pool ends the thread. */
const STOP_TIMEOUT_MS = 250;

const schemas = new CompiledSchemas(MAX_COMPILED_SIZE);

let hasLowPriority = false;

export function runAtLowPriority(message: TaskMessage): Promise<Result> {
  // Only Linux can set a single thread's priority. Other systems would change the whole process.
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
  // Import this on demand: it is the slowest module to load, and most threads never compare schemas.
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
