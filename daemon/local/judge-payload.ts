import type { Reason } from "../../src/contract/errors.js";
import { Validators } from "../../src/service/validation/index.js";

/** `refused`: the service would not register the document. `errors` is empty for a valid payload. */
export type Judgement = { refused: readonly Reason[] } | { errors: readonly Reason[] };

/** Account id for the validator's per-account limits. There is only one caller here. */
const LOCAL = "local";

/** Validates a JSON Schema document and a payload exactly as the service does, with the same deadlines. */
export async function judgePayload(document: unknown, payload: unknown): Promise<Judgement> {
  const validators = new Validators();
  try {
    const refused = await validators.check(LOCAL, document);
    if (refused.length > 0) return { refused };
    const verdict = await validators.validate(
      LOCAL,
      [{ key: "checked", document: document as object }],
      payload,
    );
    return { errors: "accepted" in verdict ? [] : verdict.errors };
  } finally {
    validators.close();
  }
}
