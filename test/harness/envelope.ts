/** Checks the format of error responses (docs/specification/errors.md#envelope). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { RULE_SOURCES } from "../../src/contract/errors.js";
import type { Body, JsonResponse } from "./daemon.js";

const PAGE = join(import.meta.dirname, "../../docs/specification/errors.md");

/** The status of each error code in the table of docs/specification/errors.md#codes. */
export const STATUS_OF: Readonly<Record<string, number>> = Object.fromEntries(
  [...readFileSync(PAGE, "utf8").matchAll(/^\| `([A-Z_]+)` \| (\d+) \|/gm)].map(([, code, status]) => [
    code!,
    Number(status),
  ]),
);

const FIELDS = new Set([
  "code",
  "message",
  "rule_source",
  "schema_ref",
  "schema_url",
  "errors",
  "retry_after",
]);

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
