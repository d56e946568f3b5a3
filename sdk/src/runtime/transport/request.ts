/** Builds an HTTP request from an operation and its input. */
import { randomName } from "../clock.js";
import type { CallOptions, Operation } from "../operation.js";

/** An HTTP request that a transport sends. */
export interface Request {
  method: Operation["method"];
  /** The path relative to the base URL, including the query. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/**
 * Later values replace earlier ones. Names are case-insensitive (RFC 9110, 5.1). Throws a `TypeError` for a
 * name or value that HTTP does not allow.
 */
export function mergeHeaders(...parts: Readonly<Record<string, string>>[]): Record<string, string> {
  const merged = new Headers();
  for (const part of parts) for (const [name, value] of Object.entries(part)) merged.set(name, value);
  return Object.fromEntries(merged);
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

export function buildRequest(operation: Operation, input: object, options: CallOptions): Request {
  const rest = { ...input } as Record<string, unknown>;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodePart(operation, name, value);
  });
  const inQuery = operation.method === "GET" ? rest : take(rest, operation.query ?? []);
  const hasBody = inQuery !== rest && Object.values(rest).some((value) => value !== undefined);
  const headers: Record<string, string> = { ...options.headers, accept: "application/json" };
  if (hasBody) headers["content-type"] = "application/json";
  const isKeyed = operation.keyed ?? (operation.method === "POST" && !operation.once);
  if (isKeyed) headers["idempotency-key"] = keyOf(options);
  return {
    method: operation.method,
    path: `${path}${queryOf(operation, inQuery)}`,
    headers,
    body: hasBody ? toJson(operation, rest) : undefined,
  };
}

/** Throws a `TypeError` that names the path of a value that JSON would change to null, or cannot contain. */
function toJson(operation: Operation, body: object): string {
  const paths = new Map<unknown, string>([[body, ""]]);
  return JSON.stringify(body, function (this: unknown, name, value: unknown) {
    if (value === body) return value;
    const path = `${paths.get(this)}/${name}`;
    if (typeof value === "object") paths.set(value, path);
    else if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) {
      const found = typeof value === "bigint" ? "a BigInt" : value;
      throw new TypeError(`${operation.id}: ${path} is ${found}, which JSON cannot contain`);
    }
    return value;
  });
}

/** Moves properties to a new object. */
function take(from: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const taken: Record<string, unknown> = {};
  for (const name of names) {
    taken[name] = from[name];
    delete from[name];
  }
  return taken;
}

function encodePart(operation: Operation, name: string, value: unknown): string {
  if (typeof value !== "string" || value === "" || value === "." || value === "..")
    throw new TypeError(
      `${operation.id}: \`${name}\` must be a non-empty string, not ${JSON.stringify(value)}`,
    );
  return encodeURIComponent(value);
}

function queryOf(operation: Operation, fields: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    // Reject null, because callers may pass on the last page's `next_cursor`, which is null. Without a
    // cursor, the request would return the first page again.
    if (value === null) throw new TypeError(`${operation.id}: \`${name}\` must not be null`);
    query.append(name, String(value));
  }
  return query.size === 0 ? "" : `?${query}`;
}

function keyOf({ idempotencyKey = randomName() }: CallOptions): string {
  if (IDEMPOTENCY_KEY.test(idempotencyKey)) return idempotencyKey;
  throw new TypeError("`idempotencyKey` must be 1 to 128 visible ASCII characters");
}
