/** Validates a payload locally, because the API has no operation that only validates. */
import { Failure } from "../../failure.js";

export interface CheckReason {
  instancePath: string;
  keyword: string;
  message: string;
}

/**
 * Returns the reasons why the payload is invalid, or an empty list if it is valid. Uses the same validator
 * and time limits as the service. Throws a `Failure` if the service would not register the schema.
 */
export async function checkPayload(schema: unknown, payload: unknown): Promise<readonly CheckReason[]> {
  const { judgePayload } = await import("../../../daemon/local/offline.js");
  const judgement = await judgePayload(schema, payload);
  if ("errors" in judgement) return judgement.errors;
  const reasons = judgement.refused.map(({ instancePath, message }) =>
    instancePath === "" ? message : `${instancePath} ${message}`,
  );
  throw new Failure("USAGE", `the service would not register this schema: ${reasons.join("; ")}`);
}
