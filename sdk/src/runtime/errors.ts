/** What a call rejects with. The classes of the single codes are generated. */
import type { Reason, RuleSource } from "../generated/shapes.js";

/** What an error knows beside its message. */
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
 * Whatever went wrong between the caller and the service. Every code of the service has a class of its own
 * (`KnockRequiredError` …); a code that this version does not know yet comes as a plain `WireroomError`.
 *
 * @example
 * ```ts
 * try {
 *   await wr.wires.send({ to: "@bob", text: "hi" });
 * } catch (error) {
 *   if (error instanceof KnockRequiredError) await wr.knocks.send({ handle: "@bob", intro: "I sell weather data." });
 *   else throw error;
 * }
 * ```
 */
export class WireroomError extends Error {
  override readonly name: string = "WireroomError";
  /** The service's code, or a word of the SDK's own: `CONNECTION_FAILED`, `TIMEOUT`, `UNEXPECTED_RESPONSE`. */
  readonly code: string;
  /** HTTP status of the answer; undefined where there was none. */
  readonly status: number | undefined;
  /** What exactly is wrong with the input or payload, where the service says so; otherwise empty. */
  readonly errors: readonly Reason[];
  /** Which posting rule refused the post. */
  readonly ruleSource: RuleSource | undefined;
  /** The schema that the payload came nearest to. */
  readonly schemaRef: string | undefined;
  /** Where to fetch that schema. */
  readonly schemaUrl: string | undefined;
  /** Whole seconds until it may be tried again. */
  readonly retryAfter: number | undefined;
  /** Id of the request, as in the daemon's log. */
  readonly requestId: string | undefined;

  constructor(message: string, fields: ErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = fields.code;
    this.status = fields.status;
    this.errors = fields.errors ?? [];
    this.ruleSource = fields.ruleSource;
    this.schemaRef = fields.schemaRef;
    this.schemaUrl = fields.schemaUrl;
    this.retryAfter = fields.retryAfter;
    this.requestId = fields.requestId;
  }
}

/** There was no answer: no connection, or one that broke. The fault itself is the `cause`. */
export class ConnectionError extends WireroomError {
  override readonly name: string = "ConnectionError";

  /** @param mayHaveArrived whether the service may have carried the request out */
  constructor(
    message: string,
    readonly mayHaveArrived: boolean,
    cause?: unknown,
    code = "CONNECTION_FAILED",
  ) {
    super(message, { code, cause });
  }
}

/** There was no answer in time. The service may have carried the request out. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = "TimeoutError";

  constructor(message: string) {
    super(message, true, undefined, "TIMEOUT");
  }
}
