import { AuthorizationResponseError, ClientError, ResponseBodyError } from "openid-client";
import { WireroomError } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";

/** OAuth error for wrong credentials or an invalid refresh token (RFC 6749, section 5.2). */
const INVALID_GRANT = "invalid_grant";
/** Error after too many wrong passwords (docs/specification/identity.md#throttling). */
const CODE_REQUIRED = "code_required";
/** OAuth error for an expired device code (RFC 8628, section 3.5). */
const EXPIRED_TOKEN = "expired_token";

export class GrantRefused extends Failure {}

/** Thrown if the identity provider has mailed a code that it requires in addition to the password. */
export class CodeRequired extends Failure {}

export function toCliError(error: unknown, issuer: string): unknown {
  if (error instanceof ResponseBodyError && error.status === 429)
    return new WireroomError(error.error_description ?? "too many attempts", {
      code: "RATE_LIMITED",
      status: error.status,
      retryAfter: retryAfterOf(error),
    });
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError)
    return refusalFailure(error, issuer);
  if (error instanceof ClientError || isFetchFailure(error))
    return unreachableFailure(error as Error, issuer);
  return error;
}

function refusalFailure(error: ResponseBodyError | AuthorizationResponseError, issuer: string): Failure {
  const { error: code, error_description: description } = error;
  if (code === INVALID_GRANT)
    return new GrantRefused("SIGN_IN_FAILED", description ?? "the sign-in was refused", [
      "Try again: wireroom login",
      ...(description?.includes("password") ? ["If you forgot the password: wireroom password forgot"] : []),
    ]);
  if (code === CODE_REQUIRED)
    return new CodeRequired("SIGN_IN_FAILED", description ?? "a code from an e-mail is needed", [
      "Add the code: wireroom login --code CODE",
      "A daemon without a mail server writes codes to its log: wireroom logs",
    ]);
  if (code === "access_denied")
    return new Failure("SIGN_IN_FAILED", `the sign-in was refused: ${description ?? "access denied"}`);
  if (code === EXPIRED_TOKEN)
    return new Failure("SIGN_IN_FAILED", "the code expired before it was entered", [
      "Try again: wireroom login",
    ]);
  return new Failure("SIGN_IN_FAILED", `${issuer} returned ${code}${description ? `: ${description}` : ""}`);
}

/** Returns a failure with the innermost error code, because outer errors only wrap the network error. */
function unreachableFailure(error: Error, issuer: string): Failure {
  const cause = error.cause as (Error & { code?: string; cause?: { code?: string } }) | undefined;
  const why = cause?.cause?.code ?? cause?.code ?? (cause instanceof Error ? cause.message : error.message);
  return new Failure(
    "PROVIDER_UNREACHABLE",
    `cannot use the identity provider ${issuer}: ${why}`,
    ["Try again later. If it keeps failing, check the daemon: wireroom doctor"],
    { cause: error },
  );
}

/** Returns whether `fetch` failed. Only its network errors are TypeErrors with a cause. */
function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError && error.cause !== undefined;
}

function retryAfterOf({ response }: ResponseBodyError): number | undefined {
  const value = response.headers.get("retry-after");
  return value !== null && /^\d+$/.test(value) ? Number(value) : undefined;
}
