import type { Reason } from "../../contract/errors.js";
import type { JsonObject } from "../../domain/json-schema/index.js";

/**
 * What the pool sends to a thread. A batch of tasks travels as one JSON text, payloads and documents included: that takes a third of
 * the time of a structured clone.
 */
export type Task = { id: number } & (
  | { kind: "validate"; candidates: { key: string; document?: JsonObject }[]; payload: unknown }
  | { kind: "check"; document: unknown }
  | { kind: "compare"; older: JsonObject; newer: JsonObject }
);

/** A schema to validate under. A key belongs to one document for good. */
export interface Candidate {
  key: string;
  document: object;
}

/** The index of the candidate that accepts; or of the one with the fewest errors, and these. */
export type Verdict = { accepted: number } | { rejected: number; errors: Reason[] };

/**
 * `missing`: the thread has dropped a document that the task does not carry, so it must be sent again with all of them.
 * `stopped`: the thread was asked to stop.
 */
export type Result = { id: number } & (
  | { verdict: Verdict }
  | { reasons: Reason[] }
  | { missing: true }
  | { stopped: true }
);

/** What a thread sends to the pool, as JSON text as well. */
export interface Report {
  results: Result[];
  /** Keys whose compiled schemas the thread has dropped since the last report. */
  dropped: string[];
}

/**
 * The status of a thread in shared memory, by index, so that the pool sees it while the thread is busy. `since` is when the phase
 * began, `used` is the validation before it, both in nanoseconds of `process.hrtime`, which all threads share. `stop` is the job
 * that the pool asks to stop; the thread writes the others.
 */
export const STATUS = { job: 0, candidate: 1, phase: 2, since: 3, used: 4, stop: 5, length: 6 } as const;

export const PHASES = { compiling: 1n, validating: 2n, checking: 3n } as const;
export type Phase = keyof typeof PHASES;

export interface WorkerData {
  /** Whether other threads of the machine go first. */
  isLowPriority: boolean;
  status: BigInt64Array;
}

export function toMs(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e6;
}
