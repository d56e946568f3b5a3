import type { Context, Middleware } from "koa";
import mount from "koa-mount";
import type { Accounts } from "../accounts.js";
import type { IdentityStore } from "../identity-store.js";
import { failure, type Log } from "../log.js";
import { signUpRoutes } from "../sign-up-routes.js";
import { createAdapter } from "./adapter.js";
import { configuration } from "./configuration.js";
import { CONTENT_SECURITY_POLICY } from "./html.js";
import { interactionRoutes } from "./interactions.js";
import { loadOidcProvider } from "./load.js";
import { registerPasswordGrant } from "./password-grant.js";
import type { ProviderSecrets } from "./secrets.js";

export interface ProviderOptions {
  publicOrigin: string;
  /** Path under the origin; origin and path are the issuer. */
  mountPath: string;
  secrets: ProviderSecrets;
  store: IdentityStore;
  accounts: Accounts;
  log: Log;
  now: () => number;
}

/** The embedded OpenID provider as middleware. */
export async function createProvider(options: ProviderOptions): Promise<Middleware> {
  const { publicOrigin, mountPath, secrets, store, accounts, log, now } = options;
  const { jwks, cookieKeys } = secrets;
  const { Provider, errors } = await loadOidcProvider();
  const alreadyUsed = () => new errors.InvalidGrant("already used");
  const adapter = createAdapter({ store, now, alreadyUsed });

  const provider = new Provider(
    `${publicOrigin}${mountPath}`,
    configuration({ publicOrigin, mountPath, adapter, store, jwks: structuredClone(jwks), cookieKeys }),
  );
  registerPasswordGrant(provider, accounts, errors);
  provider.on("server_error", (ctx, error) => {
    // The store out of reach is 503 here as elsewhere (decisions, section 2).
    if (error.name === "StoreUnavailable") {
      ctx.status = 503;
      ctx.set("Retry-After", "1");
    }
    log.error({ route: ctx.oidc?.route, ...failure(error) }, "the identity provider failed");
  });

  provider.use(atPublicOrigin(publicOrigin, (ctx) => provider.createContext(ctx.req, ctx.res).cookies));
  provider.use(withSecurityHeaders);
  provider.use(withoutStrayQuery);
  provider.use(signUpRoutes(accounts));
  provider.use(interactionRoutes({ provider, accounts, store }));
  return mount(mountPath, provider);
}

/**
 * The provider builds URLs and cookies from the request. Both come from the configured origin instead, so that neither a
 * `Host` nor an `X-Forwarded-*` header can turn them elsewhere.
 */
function atPublicOrigin(publicOrigin: string, cookies: (ctx: Context) => Context["cookies"]): Middleware {
  const { origin, host, hostname, protocol } = new URL(publicOrigin);
  const fixed = {
    origin,
    host,
    hostname,
    href: `${origin}/`,
    protocol: protocol.slice(0, -1),
    secure: protocol === "https:",
  };
  return (ctx, next) => {
    for (const [name, value] of Object.entries(fixed)) {
      Object.defineProperty(ctx.request, name, { value, configurable: true });
    }
    // Signed with the provider's keys, whatever keys the surrounding application has.
    ctx.cookies = cookies(ctx);
    ctx.cookies.secure = fixed.secure;
    return next();
  };
}

const withSecurityHeaders: Middleware = async (ctx, next) => {
  ctx.set({
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
  });
  await next();
  if (ctx.response.is("html")) ctx.set("Cache-Control", "no-store");
};

/** The addresses at which a sign-in goes on take no query; with one, and without a cookie, the provider fails. */
const withoutStrayQuery: Middleware = (ctx, next) => {
  if (/^\/(auth|device)\/[^/]+$/i.test(ctx.path)) ctx.querystring = "";
  return next();
};
