/** Errors of an identity provider as errors of the CLI. */
import { AuthorizationResponseError, ClientError, ResponseBodyError } from "openid-client";
import { WireroomError } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";

/** The provider's word for wrong credentials, and for a refresh token that is used up, expired or revoked. */
const INVALID_GRANT = "invalid_grant";
/** A device code that nobody entered in time (RFC 8628, 3.5). */
const EXPIRED = "expired_token";

/** The credentials or the refresh token are not valid (any more). */
export class GrantRefused extends Failure {}

/** An error of `openid-client` in the CLI's own words; anything else comes back as it is. */
export function providerError(error: unknown, issuer: string): unknown {
  if (error instanceof ResponseBodyError && error.status === 429)
    return new WireroomError(error.error_description ?? "too many tries", {
      code: "RATE_LIMITED",
      status: error.status,
      retryAfter: retryAfterOf(error),
    });
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError)
    return refusalOf(error, issuer);
  if (error instanceof ClientError || isFetchFailure(error)) return unusable(error as Error, issuer);
  return error;
}

function refusalOf(error: ResponseBodyError | AuthorizationResponseError, issuer: string): Failure {
  const { error: code, error_description: description } = error;
  if (code === INVALID_GRANT)
    return new GrantRefused("SIGN_IN_FAILED", description ?? "the sign-in was refused", ["wireroom login"]);
  if (code === "access_denied")
    return new Failure("SIGN_IN_FAILED", `the sign-in was refused: ${description ?? "access denied"}`);
  if (code === EXPIRED)
    return new Failure("SIGN_IN_FAILED", "the code was not entered in time", ["wireroom login"]);
  return new Failure("SIGN_IN_FAILED", `${issuer} answered ${code}${description ? `: ${description}` : ""}`);
}

/** The reason is one or two causes deep. */
function unusable(error: Error, issuer: string): Failure {
  const cause = error.cause as (Error & { code?: string; cause?: { code?: string } }) | undefined;
  const why = cause?.cause?.code ?? cause?.code ?? (cause instanceof Error ? cause.message : error.message);
  return new Failure("PROVIDER_UNREACHABLE", `the identity provider ${issuer} cannot be used: ${why}`, [
    "Try again; if it lasts, ask whoever runs the daemon: wireroom doctor",
  ]);
}

/** `fetch` rejects with a `TypeError` that has a cause; one without is a mistake of this program. */
function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError && error.cause !== undefined;
}

function retryAfterOf({ response }: ResponseBodyError): number | undefined {
  const value = response.headers.get("retry-after");
  return value !== null && /^\d+$/.test(value) ? Number(value) : undefined;
}
