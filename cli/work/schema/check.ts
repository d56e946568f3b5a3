/** Whether a payload is valid under a schema, found out on this machine: the service has no operation that only tries one. */
import { Worker } from "node:worker_threads";
import { Failure } from "../../failure.js";
import type { CheckJob, CheckOutcome, CheckReason } from "./job.js";

/** Milliseconds that a check may take. The service gives itself 250; this machine has to load the library as well. */
const PATIENCE = 10_000;

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
  const worker = new Worker(new URL("./payload-check.js", import.meta.url), { workerData: job });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<CheckOutcome>((resolve, reject) => {
      timer = setTimeout(() => {
        const seconds = PATIENCE / 1_000;
        reject(
          new Failure(
            "FAILED",
            `the check did not end within ${seconds} s: the service would refuse the wire`,
          ),
        );
      }, PATIENCE);
      worker.once("message", resolve);
      worker.once("error", (error) => reject(error));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
