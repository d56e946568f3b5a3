import type { Middleware } from "koa";

/** Browser applications of any origin may call these endpoints, without cookies. */
const OPEN = /^\/(\.well-known\/[\w-]+|jwks|token|token\/revocation|reg)$/;
const MAX_AGE_SECONDS = 3_600;

/**
 * Answers preflight requests. Allows all origins (`*`) wherever oidc-provider would allow a single origin
 * (docs/specification/identity.md#applications).
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
    // oidc-provider has no CORS rule for registration, whose response reveals nothing.
    if (ctx.path === "/reg" || ctx.res.hasHeader("access-control-allow-origin")) allowAnyOrigin(ctx);
  };
}

export function allowAnyOrigin(ctx: {
  set(name: string, value: string): void;
  vary(name: string): void;
}): void {
  ctx.set("Access-Control-Allow-Origin", "*");
  ctx.vary("Access-Control-Request-Headers");
}
