import type { Answer } from "./protocol.js";
import type { Thread } from "./thread.js";

/** Why a job was ended from outside. */
export type Stop = {
  cause: "compiling" | "validating" | "checking" | "crash" | "waiting";
  candidate: number;
};

/** One call of the pool, until it is settled. Pure work: it may run in two threads at once, and the first answer counts. */
export interface Job {
  readonly id: number;
  /** When the call was made, in the milliseconds of `monotonicMs`. */
  readonly since: number;
  readonly keys: readonly string[];
  /** Characters of the payload, or of the documents. */
  readonly size: number;
  /** The order as JSON text, with the documents of those keys that the thread does not have. */
  order(has: (key: string) => boolean): string;
  /** The thread that is to answer; none while the job waits. */
  thread?: Thread | undefined;
  settled: boolean;
  answer(answer: Answer): void;
  stop(stop: Stop): void;
  fail(error: Error): void;
}
