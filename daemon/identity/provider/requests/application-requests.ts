/** Rules for applications' authorization requests, in addition to oidc-provider's own rules. */
import type { Context, Middleware } from "koa";
import type { KoaContextWithOIDC } from "oidc-provider";
import { APPLICATION_SCOPE, isApplication } from "../clients/own-clients.js";
import { destinationOf } from "../clients/redirect-uris.js";
import { canonicalResource } from "./resources.js";

/** OpenID Connect parameters that require the scope `openid`, which applications cannot get. */
const OPENID_PARAMETERS = ["nonce", "max_age", "acr_values", "claims", "claims_locales", "id_token_hint"];

/** The database stores `state` and `nonce` until the human has signed in. */
const MAX_PARAMETER_LENGTH = 1_024;

export function limitParameters(
  showError: (ctx: Context, error: { error: string; error_description: string }) => void,
): Middleware {
  return (ctx, next) => {
    if (!isAuthorization(ctx)) return next();
    const query = new URLSearchParams(ctx.querystring);
    const long = ["state", "nonce"].find((name) => (query.get(name)?.length ?? 0) > MAX_PARAMETER_LENGTH);
    if (long === undefined) return next();
    const error = {
      error: "invalid_request",
      error_description: `${long} must have at most ${MAX_PARAMETER_LENGTH} characters`,
    };
    ctx.status = 400;
    if (ctx.accepts("json", "html") === "html") showError(ctx, error);
    else ctx.body = error;
    return undefined;
  };
}

function isAuthorization(ctx: Context): boolean {
  return /^\/auth\/?$/i.test(ctx.path);
}

/**
 * Sets the only supported scope and response mode in applications' authorization requests. Rejects POST
 * requests, because it cannot change the parameters in a body.
 */
export function normalizeRequests(resources: readonly string[]): Middleware {
  return (ctx, next) => {
    if (!isAuthorization(ctx)) return next();
    if (ctx.method === "POST") {
      ctx.status = 405;
      ctx.set("Allow", "GET");
      return;
    }
    const query = new URLSearchParams(ctx.querystring);
    if (isApplication(query.get("client_id") ?? undefined)) {
      for (const name of OPENID_PARAMETERS) query.delete(name);
      query.delete("response_mode");
      query.set("scope", APPLICATION_SCOPE);
      const [resource, ...others] = query.getAll("resource");
      if (resource !== undefined && others.length === 0)
        query.set("resource", canonicalResource(resource, resources));
      ctx.querystring = query.toString();
    }
    return next();
  };
}

/** Adds the applications' scope to the discovery metadata. */
export function addApplicationScope(): Middleware {
  return async (ctx, next) => {
    await next();
    const { oidc } = ctx as unknown as Partial<KoaContextWithOIDC>;
    if (oidc?.route !== "discovery") return;
    const metadata = ctx.body as { scopes_supported: string[] };
    ctx.body = { ...metadata, scopes_supported: [...metadata.scopes_supported, APPLICATION_SCOPE] };
  };
}

/**
 * Shows an application's request error on a page. A redirect could lead the human to a site that anyone may
 * have registered (RFC 9700, section 4.11.2).
 */
export function stopOpenRedirects(
  showError: (ctx: Context, problem: string, link: Link) => void,
): Middleware {
  return async (ctx, next) => {
    await next();
    const { oidc } = ctx as unknown as Partial<KoaContextWithOIDC>;
    if (oidc?.route !== "authorization" || !isApplication(oidc.client?.clientId)) return;
    const location = ctx.response.get("location") as string | undefined;
    // Before the consent page, a redirect to an application always reports an error.
    if (location === undefined || new URL(location, ctx.origin).origin === ctx.origin) return;
    const { host, isOnThisMachine } = destinationOf(location);
    if (isOnThisMachine) return;
    ctx.remove("location");
    ctx.status = 400;
    // The URL's error text may be the application's own, so do not use it.
    const { error_description } = (ctx.state.authorizationError ?? {}) as { error_description?: string };
    showError(ctx, error_description ?? "The request of the application is not valid", {
      href: location,
      host,
    });
  };
}

export function rememberError(ctx: Context, error: Error): void {
  ctx.state.authorizationError = error;
}

export interface Link {
  href: string;
  host: string;
}
