import { parentPort, workerData } from "node:worker_threads";
import type { Reason } from "../../contract/errors.js";
import { findBreakingChanges } from "../../domain/compatibility/index.js";
import { checkSchema } from "../../domain/json-schema/index.js";
import { CompiledSchemas } from "./compiled-schemas.js";
import {
  type Answer,
  monotonicMs,
  type Order,
  PHASES,
  type Phase,
  type Report,
  STATUS,
  type Task,
  type ThreadData,
  type Verdict,
} from "./protocol.js";

/** One thread of the pool: runs orders in turn, and keeps its status where the pool can see it. */

const port = parentPort!;
const { status } = workerData as ThreadData;
const schemas = new CompiledSchemas();

/** Answers are held back so long at most, in milliseconds, so that a quick batch is one message. */
const HOLD = 1;

port.on("message", (orders: Order[]) => {
  let answers: Answer[] = [];
  let sent = monotonicMs();
  for (const { id, task } of orders) {
    Atomics.store(status, STATUS.candidate, 0n);
    Atomics.store(status, STATUS.used, 0n);
    enter(task.kind === "validate" ? "validating" : "checking");
    Atomics.store(status, STATUS.job, BigInt(id));
    answers.push({ id, ...run(task) });
    Atomics.store(status, STATUS.job, 0n);
    const now = monotonicMs();
    if (now - sent < HOLD) continue;
    report(answers);
    answers = [];
    sent = now;
  }
  report(answers);
});
report([]);

function report(answers: Answer[]): void {
  port.postMessage({ answers, dropped: schemas.takeDropped() } satisfies Report);
}

function enter(phase: Phase): void {
  Atomics.store(status, STATUS.since, process.hrtime.bigint());
  Atomics.store(status, STATUS.phase, PHASES[phase]);
}

function run(task: Task): { verdict: Verdict } | { reasons: Reason[] } | { missing: true } {
  if (task.kind === "check") return { reasons: checkSchema(JSON.parse(task.document)) };
  if (task.kind === "compare") {
    return { reasons: findBreakingChanges(JSON.parse(task.older), JSON.parse(task.newer)) };
  }
  const verdict = validate(task.candidates, JSON.parse(task.payload));
  return verdict ? { verdict } : { missing: true };
}

function validate(candidates: { key: string; document?: string }[], payload: unknown): Verdict | undefined {
  let best: { rejected: number; errors: Reason[] } | undefined;
  for (const [index, { key, document }] of candidates.entries()) {
    Atomics.store(status, STATUS.candidate, BigInt(index));
    const schema = schemas.get(key) ?? (document === undefined ? undefined : compile(key, document));
    if (schema === undefined) return undefined;
    const errors = schema(payload);
    if (errors.length === 0) return { accepted: index };
    if (best === undefined || errors.length < best.errors.length) best = { rejected: index, errors };
  }
  return best;
}

function compile(key: string, document: string): (payload: unknown) => Reason[] {
  Atomics.add(status, STATUS.used, process.hrtime.bigint() - Atomics.load(status, STATUS.since));
  enter("compiling");
  const schema = schemas.compile(key, document);
  enter("validating");
  return schema;
}
