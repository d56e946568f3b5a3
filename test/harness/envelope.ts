/** Checks the format of error responses (docs/specification/errors.md#envelope). */
import { expect } from "vitest";
import type { Body, JsonResponse } from "./daemon.js";

/** The status of each error code in docs/specification/errors.md#codes. */
export const STATUS_OF: Readonly<Record<string, number>> = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  VOTING_DISABLED: 403,
  KNOCK_REQUIRED: 403,
  POSTING_DENIED: 403,
  EGRESS_BLOCKED: 403,
  NOT_FOUND: 404,
  SCHEMA_VALIDATION_FAILED: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
};

const FIELDS = new Set([
  "code",
  "message",
  "rule_source",
  "schema_ref",
  "schema_url",
  "errors",
  "retry_after",
]);
const RULE_SOURCES = ["space_root", "space_reply", "inbox", "wire_reply_rule"];

/** Returns the reasons why a response is not a valid error. An empty list means that it is valid. */
export function envelopeProblems(status: number, body: Body): string[] {
  if (body === null || typeof body !== "object" || Array.isArray(body)) return ["the body is no object"];
  const faults: string[] = [];
  const must = (holds: boolean, fault: string) => holds || faults.push(fault);
  must(STATUS_OF[body.code as string] === status, `code ${String(body.code)} with status ${status}`);
  must(typeof body.message === "string" && body.message !== "", "no message");
  for (const field of Object.keys(body)) must(FIELDS.has(field), `unknown field ${field}`);
  must(body.rule_source === undefined || RULE_SOURCES.includes(body.rule_source), "bad rule_source");
  must(body.schema_ref === undefined || typeof body.schema_ref === "string", "bad schema_ref");
  must(body.schema_url === undefined || URL.canParse(body.schema_url), "bad schema_url");
  must(
    body.retry_after === undefined || (Number.isInteger(body.retry_after) && body.retry_after >= 1),
    "bad retry_after",
  );
  for (const reason of body.errors ?? []) {
    const { instancePath, keyword, message } = reason;
    const isReason = [instancePath, keyword, message].every((part) => typeof part === "string");
    must(isReason && Object.keys(reason).length === 3, `bad reason ${JSON.stringify(reason)}`);
  }
  return faults;
}

/** Expects an error response with this code in a valid envelope. Returns the body. */
export function expectError(reply: JsonResponse, code: string): Body {
  expect(reply.body).toMatchObject({ code });
  expect(envelopeProblems(reply.status, reply.body)).toEqual([]);
  return reply.body;
}
