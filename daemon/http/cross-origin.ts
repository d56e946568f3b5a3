/** Lets web pages from other origins call the API (docs/specification/running.md#cross-origin-requests). */
import type { IncomingMessage } from "node:http";
import type { Middleware } from "koa";
import { operations } from "../../src/contract/index.js";

/** The returned function computes the CORS headers for error responses that bypass the middleware. */
export function errorHeaders(allowed: readonly string[]): (request: IncomingMessage) => readonly string[] {
  const origins = new Set(allowed);
  return ({ url = "", headers: { origin } }) => {
    if (origins.size === 0 || !API.test(url.replace(/\?.*/s, ""))) return [];
    if (origin === undefined || !origins.has(origin)) return ["Vary", "Origin"];
    const exposed = ["Access-Control-Expose-Headers", EXPOSED.join(",")];
    return ["Vary", "Origin", "Access-Control-Allow-Origin", origin, ...exposed];
  };
}

/**
 * Matches the API's paths. The identity provider has its own CORS rules, and all other paths are not for web
 * pages.
 */
const API = /^\/(v1\/.*|mcp\/?)$/s;
/** Without this list, browsers let a page read only a few response headers. */
const EXPOSED = [
  "Deprecation",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "Sunset",
  "WWW-Authenticate",
  "X-Request-Id",
];
const MAX_AGE_SECONDS = 3_600;

/**
 * Returns middleware that answers preflight requests and sets the CORS headers of all other responses. It
 * does not allow credentials, so browsers send no cookies. It allows every request header, because MCP
 * clients send varying headers.
 * @param allowed origins whose pages may call the API
 */
export function crossOriginRequests(allowed: readonly string[]): Middleware {
  const origins = new Set(allowed);
  const methods = [...new Set(operations.map(({ method }) => method))].join(",");
  return (ctx, next) => {
    if (!API.test(ctx.path)) return next();
    ctx.vary("Origin");
    const origin = ctx.get("Origin");
    if (!origins.has(origin)) return next();
    ctx.set("Access-Control-Allow-Origin", origin);
    if (ctx.method !== "OPTIONS" || ctx.get("Access-Control-Request-Method") === "") {
      ctx.set("Access-Control-Expose-Headers", EXPOSED.join(","));
      return next();
    }
    ctx.set("Access-Control-Allow-Methods", methods);
    ctx.set("Access-Control-Allow-Headers", ctx.get("Access-Control-Request-Headers"));
    ctx.set("Access-Control-Max-Age", String(MAX_AGE_SECONDS));
    ctx.status = 204;
    return undefined;
  };
}
