/** What came back: its headers as callers see them, its body, and the error where it is one. */
import { ERROR_CLASSES } from "../../generated/errors.js";
import type { ErrorEnvelope } from "../../generated/shapes.js";
import { WireroomError } from "../errors.js";
import { parseRateLimits, type RateLimit } from "./rate-limit.js";

/** Headers as undici gives them. */
export type RawHeaders = Record<string, string | string[] | undefined>;

/** A response whose body has been read. */
export interface RawAnswer {
  status: number;
  headers: Headers | RawHeaders;
  text: string;
}

/** What `withResponse()` tells of a response. */
export class ResponseInfo {
  readonly #raw: Headers | RawHeaders;

  /** @param status HTTP status */
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

  /** Id of the request, as in the daemon's log. */
  get requestId(): string | undefined {
    return headerOf(this.#raw, "x-request-id");
  }

  /** What is left of each rate limit that the call counted against; empty for a call that counts against none. */
  get rateLimit(): RateLimit[] {
    return parseRateLimits(headerOf(this.#raw, "ratelimit-policy"), headerOf(this.#raw, "ratelimit"));
  }
}

/** The body of a success. Throws the error that the answer is. */
export function bodyOf(answer: RawAnswer, operation: string): unknown {
  const body = parse(answer.text);
  if (answer.status < 200 || answer.status > 299) throw errorOf(answer, body, operation);
  if (body === undefined)
    throw unexpected(answer, `${operation}: the answer is not JSON; is the base URL that of a Wireroom?`);
  return body;
}

function errorOf(answer: RawAnswer, body: unknown, operation: string): WireroomError {
  if (!isEnvelope(body)) {
    return unexpected(answer, `${operation}: answered ${answer.status} without Wireroom's error envelope`);
  }
  const ErrorClass = ERROR_CLASSES[body.code] ?? WireroomError;
  return new ErrorClass(body.message, {
    code: body.code,
    status: answer.status,
    errors: body.errors,
    ruleSource: body.rule_source,
    schemaRef: body.schema_ref,
    schemaUrl: body.schema_url,
    retryAfter: body.retry_after ?? retryAfterHeader(answer),
    requestId: headerOf(answer.headers, "x-request-id"),
  });
}

function unexpected(answer: RawAnswer, message: string): WireroomError {
  return new WireroomError(message, {
    code: "UNEXPECTED_RESPONSE",
    status: answer.status,
    retryAfter: retryAfterHeader(answer),
    requestId: headerOf(answer.headers, "x-request-id"),
  });
}

function isEnvelope(body: unknown): body is ErrorEnvelope {
  const { code, message } = (body ?? {}) as Partial<ErrorEnvelope>;
  return typeof code === "string" && typeof message === "string";
}

function retryAfterHeader(answer: RawAnswer): number | undefined {
  const value = headerOf(answer.headers, "retry-after");
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
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
