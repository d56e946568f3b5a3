/**
 * Crashes of the thread that runs a job. The worker threads run the build output, so `npm run build` comes
 * first.
 */
import { afterEach, expect, it } from "vitest";
import { monotonicMs } from "../../src/kernel/clock.js";
import { DEADLINES_MS } from "../../src/service/validation/deadlines.js";
import { JobQueue } from "../../src/service/validation/job-queue.js";
import type { Job } from "../../src/service/validation/worker-thread.js";

let queue: JobQueue;
let stopped: Job[];
afterEach(() => queue.close(new Error("closed")));

function startQueue(): void {
  stopped = [];
  queue = new JobQueue({
    maxBatch: 64,
    maxBlockingMs: 5_000,
    maxThreads: 1,
    maxThreadsPerAccount: 1,
    isLowPriority: false,
    keepsSpare: false,
    maxShortMs: 5_000,
    deadlinesMs: DEADLINES_MS,
    isOverdue: () => false,
    onSlow: () => undefined,
    onStopped: (job) => stopped.push(job),
    isDeferred: () => false,
    reroute: () => false,
    moveLong: () => false,
    onUsed: () => undefined,
    errorOf: () => undefined,
  });
}

let ids = 1;

/**
 * Submits a job of an account of its own. Returns its result, "stopped", or its error.
 * @param task returns the fields of the task for an attempt, from 1 on
 */
function submit(task: (attempt: number) => string): Promise<unknown> {
  const id = ids++;
  let attempts = 0;
  return new Promise((resolve) => {
    const end = (outcome: unknown) => {
      job.isFinished = true;
      resolve(outcome);
    };
    const job: Job = {
      id,
      account: `account ${id}`,
      createdAtMs: monotonicMs(),
      keys: [`key ${id}`],
      size: 100,
      task: () => `{"id":${id},"kind":"validate",${task(++attempts)}}`,
      isFinished: false,
      hasCrashed: false,
      isLong: false,
      complete: end,
      stop: () => end("stopped"),
      fail: end,
    };
    queue.submit(job);
  });
}

const valid = () => `"candidates":[{"key":"any ${ids}","document":{"type":"integer"}}],"payload":1`;
const ACCEPTED = expect.objectContaining({ verdict: { accepted: 0 } });
/** Ways to end the thread: while it runs the job, and before it begins the batch. */
const CRASHES = [
  ["while it runs", '"candidates":null'],
  ["before it runs", '"candidates":'],
] as const;

it.each(CRASHES)("a job whose thread crashed %s runs once again", async (_, crash) => {
  startQueue();
  const victim = submit((attempt) => (attempt === 1 ? crash : valid()));
  const others = [submit(valid), submit(valid)];
  expect(await Promise.all([victim, ...others])).toEqual([ACCEPTED, ACCEPTED, ACCEPTED]);
  expect(stopped).toEqual([]);
});

it.each(CRASHES)(
  "a job that crashes its thread %s again and again is stopped, and no other",
  async (_, crash) => {
    startQueue();
    const before = submit(valid);
    const hostile = submit(() => crash);
    const others = [submit(valid), submit(valid)];
    expect(await Promise.all([before, hostile, ...others])).toEqual([
      ACCEPTED,
      "stopped",
      ACCEPTED,
      ACCEPTED,
    ]);
    expect(stopped).toHaveLength(1);
  },
);
