import type { Context, Middleware } from "koa";
import type { KoaContextWithOIDC } from "oidc-provider";
import { APPLICATION_SCOPE, isApplication } from "../provider/client.js";
import { destinationOf } from "./redirect-uris.js";

/** Parameters of OpenID Connect, which require the scope `openid`. Applications get no ID token. */
const OPENID_PARAMETERS = ["nonce", "max_age", "acr_values", "claims", "claims_locales", "id_token_hint"];

/**
 * Returns middleware that gives every authorization request of an application the only scope that there is, whatever it asked for
 * (RFC 6749, section 3.3). Applications ask for various scopes, often for those of OpenID Connect.
 */
export function normalizeScope(): Middleware {
  return (ctx, next) => {
    if (!/^\/auth$/i.test(ctx.path)) return next();
    const query = new URLSearchParams(ctx.querystring);
    if (isApplication(query.get("client_id") ?? undefined)) {
      for (const name of OPENID_PARAMETERS) query.delete(name);
      query.set("scope", APPLICATION_SCOPE);
      ctx.querystring = query.toString();
    }
    return next();
  };
}

/** Returns middleware that adds the scope of applications to the metadata, which oidc-provider takes for no scope of its own. */
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
 * Returns middleware that shows the error of an application's authorization request on a page with a link, instead of redirecting
 * to another site. Anyone can register an application, so the redirect would lead from this trusted origin to any site without the
 * human's consent (RFC 9700, section 4.11.2). A redirect to this machine is followed.
 */
export function stopOpenRedirects(
  showError: (ctx: Context, problem: string, link: Link) => void,
): Middleware {
  return async (ctx, next) => {
    await next();
    const { oidc } = ctx as unknown as Partial<KoaContextWithOIDC>;
    if (oidc?.route !== "authorization" || !isApplication(oidc.client?.clientId)) return;
    const location = ctx.response.get("location") as string | undefined;
    if (location === undefined) return;
    const url = new URL(location, ctx.origin);
    const error = url.searchParams.get("error_description") ?? url.searchParams.get("error");
    if (url.origin === ctx.origin || error === null) return;
    const { host, isOnThisMachine } = destinationOf(location);
    if (isOnThisMachine) return;
    ctx.remove("location");
    ctx.status = 400;
    showError(ctx, error, { href: location, host });
  };
}

export interface Link {
  href: string;
  host: string;
}
