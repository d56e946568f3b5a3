/** The worker thread that validates a payload. A schema from elsewhere may take for ever; a thread can be terminated. */
import { parentPort, workerData } from "node:worker_threads";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { CheckJob, CheckOutcome, CheckReason } from "./job.js";

/** Formats of JSON Schema 2020-12 that the library does not know: they are taken as annotations. */
const UNCHECKED = { "idn-email": true, "idn-hostname": true, iri: true, "iri-reference": true } as const;

parentPort!.postMessage(outcomeOf(workerData as CheckJob));

function outcomeOf({ schema, payload }: CheckJob): CheckOutcome {
  try {
    const ajv = new Ajv2020({
      allErrors: true,
      strictSchema: true,
      strictTypes: false,
      strictTuples: false,
      strictRequired: false,
      ownProperties: true,
      formats: UNCHECKED,
    });
    formats.default(ajv);
    const validate = ajv.compile(schema as object);
    return { reasons: validate(payload) ? [] : (validate.errors ?? []).map(reasonOf) };
  } catch (error) {
    return { unusable: (error as Error).message };
  }
}

function reasonOf(error: ErrorObject): CheckReason {
  return { instancePath: error.instancePath, keyword: error.keyword, message: expected(error) };
}

/** The message of an error, with the expected values, which the library leaves out. */
function expected({ keyword, params, message = "is not valid" }: ErrorObject): string {
  if (keyword === "enum")
    return `must be one of ${params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(", ")}`;
  if (keyword === "const") return `must be ${JSON.stringify(params.allowedValue)}`;
  if (keyword === "additionalProperties")
    return `must not have the property ${JSON.stringify(params.additionalProperty)}`;
  return message;
}
