import type { Reason } from "../../src/contract/errors.js";
import { Validators } from "../../src/service/validation/index.js";

/** `refused`: the service would not register the document. `errors` is empty if the payload is valid. */
export type Judgement = { refused: readonly Reason[] } | { errors: readonly Reason[] };

/** The account that the work counts for. */
const LOCAL = "local";

/** Judges a JSON Schema document and a payload exactly as the service does, within the same deadlines. */
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
