/** Validates a payload against a schema on this machine: the service has no operation that validates without sending. */
import { Worker } from "node:worker_threads";
import { Failure } from "../../failure.js";
import type { CheckJob, CheckOutcome, CheckReason } from "./job.js";

/** Time that a check may take. The service allows 250 ms; here the thread has to load the library first. */
const TIMEOUT_MS = 10_000;

/** Reasons why the payload is invalid, none where it is valid. Throws a `Failure` where the document is no schema. */
export async function checkPayload(job: CheckJob): Promise<readonly CheckReason[]> {
  const outcome = await outcomeOf(job);
  if ("reasons" in outcome) return outcome.reasons;
  throw new Failure(
    "USAGE",
    `this is no JSON Schema 2020-12 that a payload can be checked by: ${outcome.unusable}`,
  );
}

async function outcomeOf(job: CheckJob): Promise<CheckOutcome> {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { workerData: job });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<CheckOutcome>((resolve, reject) => {
      timer = setTimeout(() => {
        const seconds = TIMEOUT_MS / 1_000;
        reject(
          new Failure(
            "FAILED",
            `the check did not end within ${seconds} s: the service would refuse the wire`,
          ),
        );
      }, TIMEOUT_MS);
      worker.once("message", resolve);
      worker.once("error", (error) => reject(error));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
