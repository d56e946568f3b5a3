import type { Reason } from "../../contract/errors.js";
import type { JsonObject } from "../../domain/json-schema/index.js";

/**
 * What the pool asks of a thread. A batch of orders travels as one JSON text, payloads and documents included: that takes a
 * third of the time of a structured clone.
 */
export type Order = { id: number } & (
  | { kind: "validate"; candidates: { key: string; document?: JsonObject }[]; payload: unknown }
  | { kind: "check"; document: unknown }
  | { kind: "compare"; older: JsonObject; newer: JsonObject }
);

/** A schema to validate under. The key is unique to the document and never gets another one. */
export interface Candidate {
  key: string;
  document: object;
}

/** What a validation found: the index of the candidate that accepts, or of the one with the fewest errors, and these. */
export type Verdict = { accepted: number } | { rejected: number; errors: Reason[] };

/**
 * `missing`: the thread has dropped a document that it was to have; the order must be sent again with all of them.
 * `stopped`: it was told to stop.
 */
export type Answer = { id: number } & (
  | { verdict: Verdict }
  | { reasons: Reason[] }
  | { missing: true }
  | { stopped: true }
);

/** What a thread says, as JSON text as well. */
export interface Report {
  answers: Answer[];
  /** Keys whose compiled schemas the thread has dropped since the last report. */
  dropped: string[];
}

/**
 * What a thread is doing, visible from outside while the thread is too busy to say: places in shared memory. `since` is
 * when the phase began, `used` what validation took before it, both in nanoseconds of `process.hrtime`, which all threads share.
 * `stop` is written from outside: the job that is to stop.
 */
export const STATUS = { job: 0, candidate: 1, phase: 2, since: 3, used: 4, stop: 5, length: 6 } as const;

export const PHASES = { compiling: 1n, validating: 2n, checking: 3n } as const;
export type Phase = keyof typeof PHASES;

export interface ThreadData {
  /** Whether the thread gives way where others want the processor. */
  yields: boolean;
  status: BigInt64Array;
}

export function toMs(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e6;
}
