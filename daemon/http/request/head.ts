/** Validates request heads, and parses their query strings. */
import type { IncomingMessage } from "node:http";
import type { Context as KoaContext } from "koa";
import { WireroomError } from "../../../src/contract/errors.js";

/** Far more than any real request has. Without this limit, a head of 32 KiB could hold 8,000 headers. */
const MAX_HEADERS = 2_000;
/** Far more than any real request has. Without this limit, a head of 32 KiB could hold 16,000 parameters. */
const MAX_QUERY_PARAMETERS = 200;
/** A host name or IP address with an optional port (RFC 9110, section 7.2). The header may be empty. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * Throws VALIDATION_ERROR for too many query parameters or headers, and unless the request has exactly one
 * valid `Host`, which HTTP/1.1 requires (RFC 9112, section 3.2).
 */
export function assertValidHead({ headers, httpVersion, rawHeaders, url = "" }: IncomingMessage): void {
  const { host } = headers;
  if (hasTooManyParameters(url)) {
    throw invalid(`the URL must have at most ${MAX_QUERY_PARAMETERS} query parameters`);
  }
  if (rawHeaders.length > 2 * MAX_HEADERS) {
    throw invalid(`the request must have at most ${MAX_HEADERS} headers`);
  }
  if (host === undefined) {
    if (httpVersion !== "1.1") return;
    throw invalid("the request must have a Host header");
  }
  let hosts = 0;
  for (let name = 0; name < rawHeaders.length; name += 2) {
    if (rawHeaders[name]!.length === 4 && rawHeaders[name]!.toLowerCase() === "host") hosts++;
  }
  if (hosts > 1) throw invalid("the request must have only one Host header");
  if (!HOST.test(host)) throw invalid("the Host header must be a host name with an optional port");
}

function invalid(message: string): WireroomError {
  return new WireroomError("VALIDATION_ERROR", message);
}

function hasTooManyParameters(url: string): boolean {
  const start = url.indexOf("?");
  if (start < 0) return false;
  let parameters = 1;
  for (let at = url.indexOf("&", start); at >= 0; at = url.indexOf("&", at + 1)) {
    if (++parameters > MAX_QUERY_PARAMETERS) return true;
  }
  return false;
}

/** Replaces Koa's getter for `query`, because Koa's own getter takes quadratic time. */
export function queryOf(this: KoaContext["request"]): KoaContext["query"] {
  const query = Object.create(null) as KoaContext["query"];
  for (const [name, value] of new URLSearchParams(this.querystring)) {
    const first = query[name];
    if (first === undefined) query[name] = value;
    else if (Array.isArray(first)) first.push(value);
    else query[name] = [first, value];
  }
  return query;
}
