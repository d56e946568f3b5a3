/** The SDK's own error classes. The classes for the API's error codes are generated. */
import type { Reason, RuleSource } from "../generated/shapes.js";

/** The fields of an error other than its message. */
export interface ErrorFields {
  code: string;
  status?: number | undefined;
  errors?: readonly Reason[] | undefined;
  ruleSource?: RuleSource | undefined;
  schemaRef?: string | undefined;
  schemaUrl?: string | undefined;
  retryAfter?: number | undefined;
  requestId?: string | undefined;
  cause?: unknown;
}

/**
 * The base class of all errors that a call can reject with. Every error code of the API has a subclass, such
 * as `KnockRequiredError`. An error code that this version does not know becomes a plain `WireroomError`.
 *
 * @example
 * ```ts
 * try {
 *   await wr.wires.send({ to: "@bob", text: "hi" });
 * } catch (error) {
 *   if (!(error instanceof KnockRequiredError)) throw error;
 *   await wr.knocks.send({ handle: "@bob", intro: "I sell weather data." });
 * }
 * ```
 */
export class WireroomError extends Error {
  override readonly name: string = "WireroomError";
  /** The API's error code, or `CONNECTION_FAILED`, `TIMEOUT`, `NO_REPLY` or `UNEXPECTED_RESPONSE`. */
  declare readonly code: string;
  /** The HTTP status; undefined without a response. */
  declare readonly status: number | undefined;
  /** Validation failures of the input or payload. Empty if the service reports none. */
  declare readonly errors: readonly Reason[];
  /** The posting rule that rejected the post. */
  declare readonly ruleSource: RuleSource | undefined;
  /** The accepted schema closest to the rejected payload, or the first one if the post had only text. */
  declare readonly schemaRef: string | undefined;
  /** The URL of the schema in `schemaRef`. */
  declare readonly schemaUrl: string | undefined;
  /** Whole seconds to wait before a retry. */
  declare readonly retryAfter: number | undefined;
  /** The request id, which also appears in the daemon's log. */
  declare readonly requestId: string | undefined;

  constructor(message: string, { cause, errors = [], ...fields }: ErrorFields) {
    super(message, cause === undefined ? undefined : { cause });
    // Omit undefined fields, because Node prints all fields of an uncaught error.
    const defined = Object.entries({ ...fields, errors }).filter(([, value]) => value !== undefined);
    Object.assign(this, Object.fromEntries(defined));
  }
}

/** Thrown if the connection fails before the response is complete. `cause` is the original error. */
export class ConnectionError extends WireroomError {
  override readonly name: string = "ConnectionError";
  declare readonly code: "CONNECTION_FAILED" | "TIMEOUT";

  /** @param mayHaveArrived true if the service may have executed the request */
  constructor(
    message: string,
    readonly mayHaveArrived: boolean,
    cause?: unknown,
    code: "CONNECTION_FAILED" | "TIMEOUT" = "CONNECTION_FAILED",
  ) {
    super(message, { code, cause });
  }
}

/**
 * Thrown if the TLS handshake fails, for example because the certificate is not trusted. No request was sent.
 * The client does not retry, because the next handshake would fail too.
 */
export class TlsError extends ConnectionError {
  override readonly name: string = "TlsError";

  constructor(message: string, cause: unknown) {
    super(message, false, cause);
  }
}

/** Thrown if no response arrives in time. The service may have executed the request. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = "TimeoutError";
  declare readonly code: "TIMEOUT";

  constructor(message: string) {
    super(message, true, undefined, "TIMEOUT");
  }
}
