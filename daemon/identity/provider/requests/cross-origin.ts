import type { Middleware } from "koa";

/** Endpoints that browser applications of any origin call without cookies. */
const OPEN = /^\/(\.well-known\/[\w-]+|jwks|token|token\/revocation|reg)$/;
/** Time in seconds for which a browser may cache a preflight response. */
const MAX_AGE_SECONDS = 3_600;

/**
 * Returns middleware for cross-origin requests (docs/specification/identity.md#applications). The middleware
 * answers preflight requests. If oidc-provider allows a request's origin, the middleware allows all origins
 * (`*`) instead.
 */
export function crossOriginAccess(): Middleware {
  return async (ctx, next) => {
    if (!OPEN.test(ctx.path)) return next();
    if (ctx.method === "OPTIONS") {
      if (ctx.get("access-control-request-method") === "") return next();
      allowAnyOrigin(ctx);
      ctx.set({
        "Access-Control-Allow-Methods": "GET, POST",
        "Access-Control-Max-Age": String(MAX_AGE_SECONDS),
      });
      const headers = ctx.get("access-control-request-headers");
      if (headers !== "") ctx.set("Access-Control-Allow-Headers", headers);
      ctx.status = 204;
      return;
    }
    await next();
    // oidc-provider has no CORS rule for registration. Any origin may register clients, because the response
    // reveals nothing.
    if (ctx.path === "/reg" || ctx.res.hasHeader("access-control-allow-origin")) allowAnyOrigin(ctx);
  };
}

/** Lets web pages of any origin read the response. */
export function allowAnyOrigin(ctx: {
  set(name: string, value: string): void;
  vary(name: string): void;
}): void {
  ctx.set("Access-Control-Allow-Origin", "*");
  ctx.vary("Access-Control-Request-Headers");
}
