import type { Reason } from "../../contract/errors.js";
import type { JsonObject } from "../../domain/json-schema/index.js";

/**
 * A task for a worker thread. The pool sends a batch of tasks, with payloads and schema documents, as one
 * JSON text. This takes a third of the time of a structured clone.
 */
export type Task = { id: number } & (
  | { kind: "validate"; candidates: { key: string; document?: JsonObject }[]; payload: unknown }
  | { kind: "check"; document: unknown }
  | { kind: "compare"; older: JsonObject; newer: JsonObject }
);

/**
 * A schema that may accept the payload. A key always belongs to the same document, so that workers can cache
 * compiled schemas by key.
 */
export interface Candidate {
  key: string;
  document: object;
}

/**
 * Result of a validation: the index of the candidate that accepts the payload, or of the candidate with the
 * fewest errors.
 */
export type Verdict = { accepted: number } | { rejected: number; errors: Reason[] };

/**
 * Result of a task.
 * - `missing`: the task omits the document of a schema that the thread has evicted. The pool must send the
 *   task again with all documents.
 * - `stopped`: the pool requested a stop.
 * - `ms`: time that the task took. Absent if it is so short that it does not count against the limits of an
 *   account.
 */
export type Result = { id: number; ms?: number } & (
  | { verdict: Verdict }
  | { reasons: Reason[] }
  | { missing: true }
  | { stopped: true }
);

/** A message from a thread to the pool, as JSON text. */
export interface Report {
  results: Result[];
  /** Keys of compiled schemas that the thread has evicted from its cache since the last report. */
  dropped: string[];
}

/**
 * Indexes into the status array of a thread. The array is in shared memory, so that the pool can read it
 * while the thread is busy.
 * - `since`: start time of the phase. `used`: validation time that was spent before `since`. Both are
 *   nanoseconds of `process.hrtime`, which all threads share.
 * - `stop`: id of the job that the pool wants to stop. The thread writes all other fields.
 */
export const STATUS = { job: 0, candidate: 1, phase: 2, since: 3, used: 4, stop: 5, length: 6 } as const;

export const PHASES = { compiling: 1n, validating: 2n, checking: 3n } as const;
export type Phase = keyof typeof PHASES;

export interface WorkerData {
  /** Whether the thread runs at a lower OS priority. */
  isLowPriority: boolean;
  status: BigInt64Array;
}

export function toMs(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e6;
}
