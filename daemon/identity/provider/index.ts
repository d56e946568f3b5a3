import type { Context, Middleware } from "koa";
import mount from "koa-mount";
import type { SourceOf } from "../../http/source.js";
import type { IdentityStore } from "../identity-store.js";
import { errorFields, type Log } from "../log.js";
import { type RegistrationRoutesOptions, registrationRoutes } from "../registration/routes.js";
import type { SignIn } from "../sign-in.js";
import type { SourceThrottle } from "../throttle/source-throttle.js";
import { createAdapter } from "./adapter.js";
import { clientMetadata } from "./client.js";
import { configuration, cookiePrefix } from "./configuration.js";
import { interactionRoutes } from "./interactions.js";
import { loadOidcProvider } from "./load.js";
import { contentSecurityPolicy, styleHandover } from "./pages/index.js";
import { registerPasswordGrant } from "./password-grant.js";
import type { ProviderSecrets } from "./secrets.js";
import { burnCodes, throttleRequests, tooManyRequests } from "./throttle-requests.js";

export interface ProviderOptions {
  publicOrigin: string;
  /** Path of the provider. The issuer is the public origin followed by this path. */
  mountPath: string;
  /** Whether to support the password grant. */
  passwordGrant: boolean;
  secrets: ProviderSecrets;
  store: IdentityStore;
  signIn: SignIn;
  throttle: SourceThrottle;
  registration: Omit<RegistrationRoutesOptions, "sourceOf">;
  sourceOf: SourceOf;
  log: Log;
  now: () => number;
}

/** Returns the embedded OpenID provider as Koa middleware. */
export async function createProvider(options: ProviderOptions): Promise<Middleware> {
  const { publicOrigin, mountPath, secrets, store, signIn, throttle, registration, sourceOf, log, now } =
    options;
  const { jwks, cookieKeys } = secrets;
  const { Provider, errors } = await loadOidcProvider();
  const alreadyUsed = () => new errors.InvalidGrant("already used");
  /** Counts a user code as a wrong try of the source of the current request, until it turns out to be right. */
  const countUserCode = () => {
    const ctx = Provider.ctx;
    if (!ctx) return () => {};
    try {
      const source = sourceOf(ctx.req);
      throttle.assertMayTry(source);
      return throttle.countWrongTry(source);
    } catch (error) {
      throw tooManyRequests(ctx, error, errors);
    }
  };
  const adapter = createAdapter({ store, now, alreadyUsed, countUserCode });

  const provider = new Provider(
    `${publicOrigin}${mountPath}`,
    configuration({
      publicOrigin,
      mountPath,
      client: clientMetadata(options.passwordGrant),
      adapter,
      store,
      jwks: structuredClone(jwks),
      cookieKeys,
    }),
  );
  if (options.passwordGrant) registerPasswordGrant(provider, signIn, sourceOf, errors);
  provider.on("server_error", (ctx, error) => {
    // The status is 503 if the database is unreachable, as for REST requests (docs/specification/errors.md#codes).
    if (error.name === "StoreUnavailable") {
      ctx.status = 503;
      ctx.set("Retry-After", "1");
    }
    log.error({ route: ctx.oidc?.route, ...errorFields(error) }, "the identity provider failed");
  });

  provider.use(overrideOrigin(publicOrigin, (ctx) => provider.createContext(ctx.req, ctx.res).cookies));
  provider.use(setSecurityHeaders);
  provider.use(styleHandover);
  provider.use(removeUnexpectedQuery);
  provider.use(throttleRequests(throttle, sourceOf));
  provider.use(registrationRoutes({ ...registration, sourceOf }));
  provider.use(
    interactionRoutes({
      ...{ provider, signIn, sourceOf, store },
      accountForms: {
        ...registration,
        cookieName: `${cookiePrefix(publicOrigin)}wireroom_sign_up`,
        countRequest: (source) => throttle.countRequest(source),
      },
    }),
  );
  provider.use(burnCodes(store, now));
  return mount(mountPath, provider);
}

/**
 * Returns middleware that sets the origin of every request to the configured public origin. oidc-provider derives URLs and
 * cookies from the request, so forged `Host` or `X-Forwarded-*` headers could otherwise redirect users to another server.
 */
function overrideOrigin(publicOrigin: string, cookies: (ctx: Context) => Context["cookies"]): Middleware {
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
    // Signs cookies with the keys of the provider, not with those of the outer Koa application.
    ctx.cookies = cookies(ctx);
    ctx.cookies.secure = fixed.secure;
    return next();
  };
}

const setSecurityHeaders: Middleware = async (ctx, next) => {
  ctx.set({
    "Content-Security-Policy": contentSecurityPolicy(),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
  });
  await next();
  if (ctx.response.is("html")) ctx.set("Cache-Control", "no-store");
};

/**
 * Removes the query from URLs that resume a sign-in. oidc-provider throws if such a URL has a query and the request has no
 * cookie.
 */
const removeUnexpectedQuery: Middleware = (ctx, next) => {
  if (/^\/(auth|device)\/[^/]+$/i.test(ctx.path)) ctx.querystring = "";
  return next();
};
