import { WireroomError } from "../../../src/contract/errors.js";
import { MINUTE, SECOND } from "../../../src/kernel/clock.js";
import type { TooManyCodes } from "../../../src/store/accounts/identity-requests.js";
import type { Limit } from "../../../src/store/accounts/identity-throttles.js";
import type { IdentityContext } from "../service.js";

/** Limit on a source's wrong codes (docs/specification/identity.md#throttling). */
const WRONG_CODE_LIMITS: readonly Limit[] = [{ count: 10, window: 15 * MINUTE }];

export function wrongCodes(source: string): { id: string; limits: readonly Limit[] } {
  return { id: `code:${source}`, limits: WRONG_CODE_LIMITS };
}

export async function assertMayTryCode({ store, now }: IdentityContext, source: string): Promise<void> {
  const { id, limits } = wrongCodes(source);
  const waitMs = await store.throttle(id, limits, now(), false);
  if (waitMs > 0) throw tooManyCodes({ waitMs, isOfAddress: false });
}

export function tooManyCodes({ waitMs, isOfAddress }: TooManyCodes): WireroomError {
  const problem = isOfAddress
    ? "too many wrong codes for this address; request a new code, which is longer"
    : "too many wrong codes from your network; try again later";
  return new WireroomError("RATE_LIMITED", problem, { retry_after: Math.ceil(waitMs / SECOND) });
}
