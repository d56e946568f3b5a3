import { constants, platform, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { findBreakingChanges } from "../../domain/compatibility/index.js";
import { checkSchema, type JsonObject, Stopped, type Validator } from "../../domain/json-schema/index.js";
import { monotonicNs } from "../../kernel/clock.js";
import { CompiledSchemas } from "./compiled-schemas.js";
import { judge } from "./judge.js";
import {
  type Answer,
  type Order,
  PHASES,
  type Phase,
  type Report,
  STATUS,
  type ThreadData,
  type Verdict,
} from "./protocol.js";

/** One thread of the pool: runs orders in turn, and keeps its status where the pool can see it. */

/** Characters: 64 of the largest documents, or some thousands of the usual size; a thread has 256 MB. */
const MAX_COMPILED = 2 * 1024 * 1024;

const port = parentPort!;
const { status, yields } = workerData as ThreadData;
const schemas = new CompiledSchemas(MAX_COMPILED);

// Linux has a priority for each thread, others for a process as a whole. Lowering one's own takes no privilege.
if (yields && platform() === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** Answers are held back so long at most, in nanoseconds, so that a quick batch is one message. */
const HOLD = 1_000_000n;

port.on("message", (batch: string) => {
  const orders = JSON.parse(batch) as Order[];
  let answers: Answer[] = [];
  let now = monotonicNs();
  let sent = now;
  for (const order of orders) {
    Atomics.store(status, STATUS.candidate, 0n);
    Atomics.store(status, STATUS.used, 0n);
    enter(order.kind === "validate" ? "validating" : "checking", now);
    Atomics.store(status, STATUS.job, BigInt(order.id));
    answers.push(run(order));
    Atomics.store(status, STATUS.job, 0n);
    now = monotonicNs();
    if (now - sent < HOLD) continue;
    report(answers);
    answers = [];
    sent = now;
  }
  report(answers);
});
report([]);

function report(answers: Answer[]): void {
  port.postMessage(JSON.stringify({ answers, dropped: schemas.takeDropped() } satisfies Report));
}

function enter(phase: Phase, now: bigint): void {
  Atomics.store(status, STATUS.since, now);
  Atomics.store(status, STATUS.phase, PHASES[phase]);
}

function run(order: Order): Answer {
  const { id } = order;
  if (order.kind === "check") return { id, reasons: checkSchema(order.document) };
  if (order.kind === "compare") return { id, reasons: findBreakingChanges(order.older, order.newer) };
  const job = BigInt(id);
  try {
    const isStopped = () => Atomics.load(status, STATUS.stop) === job;
    const verdict = validate(order.candidates, order.payload, isStopped);
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
