/** Validates a payload on this machine, because the API has no operation that only validates. */
import { Failure } from "../../failure.js";

/** One validation error. It has the same properties as an item of `errors` in an error response. */
export interface CheckReason {
  instancePath: string;
  keyword: string;
  message: string;
}

/**
 * Returns the reasons why the payload is invalid, with the validator and the deadlines of the service. The
 * list is empty if the payload is valid. Throws a `Failure` for a document that the service would not
 * register.
 */
export async function checkPayload(schema: unknown, payload: unknown): Promise<readonly CheckReason[]> {
  const { judgePayload } = await import("../../../daemon/local/judge-payload.js");
  const judgement = await judgePayload(schema, payload);
  if ("errors" in judgement) return judgement.errors;
  const reasons = judgement.refused.map(({ instancePath, message }) =>
    instancePath === "" ? message : `${instancePath} ${message}`,
  );
  throw new Failure("USAGE", `the service would not register this schema: ${reasons.join("; ")}`);
}
