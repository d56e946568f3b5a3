/** Parses HTTP responses: headers, body and errors. */
import { ERROR_CLASSES } from "../../generated/errors.js";
import type { ErrorEnvelope, Reason, RuleSource } from "../../generated/shapes.js";
import { secondsUntil } from "../clock.js";
import { WireroomError } from "../errors.js";
import { ConnectionFault } from "./fault.js";
import { parseRateLimits, type RateLimit } from "./rate-limit.js";
import type { RawHeaders, TransportResponse } from "./transport.js";

/** A response whose body has been read. */
export interface RawResponse {
  status: number;
  headers: Headers | RawHeaders;
  text: string;
}

/** Maximum size of a whole body, or of one line of a stream. The service's largest page has 4 MiB. */
const MAX_BODY_BYTES = 32 * 1_024 * 1_024;

/** Reads one chunk first, because a stream's iterator closes the connection only after it has started. */
async function closeBody(body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _chunk of body) break;
  } catch {
    // Ignore the error, because a broken connection is already closed.
  }
}

/**
 * Throws a `WireroomError` for an oversized body before it fills the memory, and a `ConnectionFault` if the
 * connection breaks.
 */
export async function readResponse({ status, headers, body }: TransportResponse): Promise<RawResponse> {
  if (Number(headerOf(headers, "content-length")) > MAX_BODY_BYTES) {
    await closeBody(body);
    throw tooLarge(status);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.byteLength;
      assertBodySize(size, status);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof WireroomError ? error : new ConnectionFault(error);
  }
  return { status, headers, text: new TextDecoder().decode(joined(chunks, size)) };
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

export function assertBodySize(size: number, status: number): void {
  if (size > MAX_BODY_BYTES) throw tooLarge(status);
}

function tooLarge(status: number): WireroomError {
  const message = `the response is larger than ${MAX_BODY_BYTES / 1_048_576} MiB; check that the base URL is that of a Wireroom service`;
  return new WireroomError(message, { code: "UNEXPECTED_RESPONSE", status });
}

/** A response's status, headers, request id and rate limits. `withResponse()` returns this object. */
export class ResponseInfo {
  readonly #raw: Headers | RawHeaders;

  constructor(
    readonly status: number,
    raw: Headers | RawHeaders,
  ) {
    this.#raw = raw;
  }

  /** All headers. */
  get headers(): Headers {
    if (this.#raw instanceof Headers) return this.#raw;
    const headers = new Headers();
    for (const [name, value] of Object.entries(this.#raw))
      for (const one of [value].flat()) if (one !== undefined) headers.append(name, one);
    return headers;
  }

  /** The request id, which also appears in the daemon's log. */
  get requestId(): string | undefined {
    return headerOf(this.#raw, "x-request-id");
  }

  /** The state of each rate limit that counted this call. Empty if the response reports none. */
  get rateLimit(): RateLimit[] {
    return parseRateLimits(headerOf(this.#raw, "ratelimit-policy"), headerOf(this.#raw, "ratelimit"));
  }
}

export const isSuccess = (status: number) => status >= 200 && status <= 299;

/**
 * Throws a `WireroomError` if the response is not a success.
 * @param address the base URL, for messages of errors that a wrong base URL causes
 */
export function parseBody(response: RawResponse, operation: string, address: string): unknown {
  const body = parse(response.text);
  if (!isSuccess(response.status)) throw errorOf(response, body, operation, address);
  if (body === undefined)
    throw unexpected(
      response,
      `${operation}: the response is not JSON; check that the base URL is that of a Wireroom service (asked ${address})`,
    );
  return body;
}

function errorOf(response: RawResponse, body: unknown, operation: string, address: string): WireroomError {
  if (!isEnvelope(body)) {
    return unexpected(
      response,
      `${operation}: HTTP ${response.status} without a Wireroom error; check the base URL and proxies (asked ${address})`,
    );
  }
  const { code, message, errors, rule_source, schema_ref, schema_url, retry_after } = body;
  const ErrorClass = (Object.hasOwn(ERROR_CLASSES, code) && ERROR_CLASSES[code]) || WireroomError;
  return new ErrorClass(response.status === 401 ? `${message} (asked ${address})` : message, {
    code,
    status: response.status,
    errors: Array.isArray(errors) ? errors.filter(isReason) : [],
    ruleSource: typeof rule_source === "string" ? (rule_source as RuleSource) : undefined,
    schemaRef: typeof schema_ref === "string" ? schema_ref : undefined,
    schemaUrl: typeof schema_url === "string" ? schema_url : undefined,
    retryAfter: wholeSeconds(retry_after) ?? retryAfterHeader(response),
    requestId: headerOf(response.headers, "x-request-id"),
  });
}

function unexpected(response: RawResponse, message: string): WireroomError {
  return new WireroomError(message, {
    code: "UNEXPECTED_RESPONSE",
    status: response.status,
    retryAfter: retryAfterHeader(response),
    requestId: headerOf(response.headers, "x-request-id"),
  });
}

/** An error envelope with unchecked fields: a faulty service may send more than `code` and `message`. */
type Envelope = Pick<ErrorEnvelope, "code" | "message"> & { [Field in keyof ErrorEnvelope]?: unknown };

function isEnvelope(body: unknown): body is Envelope {
  const { code, message } = (body ?? {}) as Partial<ErrorEnvelope>;
  return typeof code === "string" && typeof message === "string";
}

function isReason(value: unknown): value is Reason {
  if (typeof value !== "object" || value === null) return false;
  const { instancePath, keyword, message } = value as Record<string, unknown>;
  return [instancePath, keyword, message].every((each) => each === undefined || typeof each === "string");
}

function wholeSeconds(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

function retryAfterHeader(response: RawResponse): number | undefined {
  const value = headerOf(response.headers, "retry-after") ?? "";
  return /^\d+$/.test(value) ? Number(value) : secondsUntil(value, headerOf(response.headers, "date"));
}

function headerOf(headers: Headers | RawHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
