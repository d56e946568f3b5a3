/** What the pool and its worker threads exchange. */
import type { Reason } from "../../contract/errors.js";

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

/** A task for a thread. Documents and payloads are JSON texts, which are copied faster than objects. */
export type Task =
  | {
      kind: "validate";
      candidates: { key: string; document: string }[];
      payload: string;
      /** Time for the validation, without the compilation of schemas. */
      deadlineMs: number;
    }
  | { kind: "check"; document: string }
  | { kind: "compare"; older: string; newer: string };

/** What a task found. `late` is the index of the candidate at which a validation reached its deadline. */
export type Finding = { verdict: Verdict } | { reasons: Reason[] } | { late: number };

/** The finding of a task, and the time that it took. */
export type Result = Finding & { ms: number };

/**
 * Indexes into shared memory, which the pool reads while the thread is busy.
 * - `candidate`: index of the candidate that is compiled or validated
 * - `endMs`: time, from `monotonicMs`, after which the thread must be terminated
 */
export const PROGRESS = { candidate: 0, endMs: 1, length: 2 } as const;

export interface TaskMessage {
  task: Task;
  progress: Float64Array;
}
