/** The messages between the pool and its worker threads. */
import type { Reason } from "../../contract/errors.js";

/**
 * A schema that may accept the payload. A key always belongs to the same document, so threads can cache
 * compiled schemas by key.
 */
export interface Candidate {
  key: string;
  document: object;
}

/**
 * Result of a validation: the index of the candidate that accepts the payload, or else of the candidate with
 * the fewest errors.
 */
export type Verdict = { accepted: number } | { rejected: number; errors: Reason[] };

/**
 * A task for a thread. Documents and payloads are JSON texts, because texts are copied to a thread faster
 * than objects.
 */
export type Task =
  | {
      kind: "validate";
      candidates: { key: string; document: string }[];
      payload: string;
      deadlineMs: number;
    }
  | { kind: "check"; document: string }
  | { kind: "compare"; older: string; newer: string };

/** Result of a task. `late` is the index of the candidate that was validated when the deadline passed. */
export type Finding = { verdict: Verdict } | { reasons: Reason[] } | { late: number };

export type Result = Finding & { ms: number };

/**
 * Indexes into memory that a thread shares with the pool. The pool reads it while the thread is busy.
 * - `candidate`: index of the candidate being compiled or validated
 * - `endMs`: time, from `monotonicMs`, after which the pool terminates the thread
 */
export const PROGRESS = { candidate: 0, endMs: 1, length: 2 } as const;

export interface TaskMessage {
  task: Task;
  progress: Float64Array;
}
