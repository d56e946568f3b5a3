/** Error responses for requests that exceed a limit. */
import type { Context } from "koa";
import type { errors as Errors, KoaContextWithOIDC } from "oidc-provider";
import { WireroomError } from "../../../../src/contract/errors.js";

export function tooManyRequests(ctx: KoaContextWithOIDC, error: unknown, errors: typeof Errors): unknown {
  if (!(error instanceof WireroomError) || error.code !== "RATE_LIMITED") return error;
  setRetryAfter(ctx, error);
  const refusal = new errors.CustomOIDCProviderError("temporarily_unavailable", error.message);
  return Object.assign(refusal, { status: error.status, statusCode: error.status });
}

export function setRetryAfter(ctx: Pick<Context, "set">, { details }: WireroomError): void {
  ctx.set("Retry-After", String(details.retry_after ?? 1));
}
