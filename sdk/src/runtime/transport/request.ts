/** An operation and its input → an HTTP request. */
import { newKey } from "../clock.js";
import type { CallOptions, Operation } from "../operation.js";

/** What a transport sends. */
export interface Request {
  method: Operation["method"];
  /** Below the base URL, with the query. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

/** Throws a `TypeError` for an input that cannot be sent at all. */
export function buildRequest(operation: Operation, input: object, options: CallOptions): Request {
  const rest = { ...input } as Record<string, unknown>;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodePart(operation, name, value);
  });
  const inQuery = operation.method === "GET" || operation.method === "DELETE";
  const hasBody = !inQuery && Object.values(rest).some((value) => value !== undefined);
  const headers: Record<string, string> = { ...options.headers, accept: "application/json" };
  if (hasBody) headers["content-type"] = "application/json";
  if (operation.method === "POST" && !operation.once) headers["idempotency-key"] = keyOf(options);
  return {
    method: operation.method,
    path: inQuery ? `${path}${queryOf(operation, rest)}` : path,
    headers,
    body: hasBody ? JSON.stringify(rest) : undefined,
  };
}

function encodePart(operation: Operation, name: string, value: unknown): string {
  if (typeof value !== "string" || value === "" || value === "." || value === "..")
    throw new TypeError(`${operation.id}: \`${name}\` must name something, not be ${JSON.stringify(value)}`);
  return encodeURIComponent(value);
}

function queryOf(operation: Operation, fields: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    // The `next_cursor` of a last page is null: sent as an absent one, it would start the list anew.
    if (value === null) throw new TypeError(`${operation.id}: \`${name}\` must not be null`);
    query.append(name, String(value));
  }
  return query.size === 0 ? "" : `?${query}`;
}

function keyOf({ idempotencyKey = newKey() }: CallOptions): string {
  if (IDEMPOTENCY_KEY.test(idempotencyKey)) return idempotencyKey;
  throw new TypeError("`idempotencyKey` must be 1 to 128 visible ASCII characters");
}
