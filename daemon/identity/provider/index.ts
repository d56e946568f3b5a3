import { AsyncLocalStorage } from "node:async_hooks";
import type { Context, Middleware } from "koa";
import mount from "koa-mount";
import type Provider from "oidc-provider";
import type { KoaContextWithOIDC } from "oidc-provider";
import { WireroomError } from "../../../src/contract/errors.js";
import { HOUR, SECOND } from "../../../src/kernel/clock.js";
import { newAccessToken, newId } from "../../../src/kernel/ids.js";
import type { SourceOf } from "../../http/source.js";
import { replaceRedirectRules } from "../applications/client-metadata.js";
import { createConsent } from "../applications/consent.js";
import { crossOriginAccess } from "../applications/cross-origin.js";
import { createFormTokens } from "../applications/form-tokens.js";
import {
  createDocumentFetch,
  DocumentUnavailable,
  type RequestScope,
  type TestServers,
} from "../applications/metadata-documents.js";
import { ApplicationRecords, refreshTokenOf } from "../applications/records.js";
import {
  addApplicationScope,
  limitParameters,
  normalizeRequests,
  rememberError,
  stopOpenRedirects,
} from "../applications/requests.js";
import type { Connections } from "../connections.js";
import type { IdentityStore } from "../identity-store.js";
import { errorFields, type Log } from "../log.js";
import type { SourceThrottle } from "../throttle/source-throttle.js";
import { createAdapter } from "./adapter.js";
import { consoleMetadata, hasGracePeriod, isApplication } from "./client.js";
import { configuration, cookiePrefix } from "./configuration.js";
import { consoleSession } from "./console-session.js";
import type { Humans } from "./humans.js";
import { interactionRoutes } from "./interactions.js";
import { loadOidcProvider } from "./load.js";
import { contentSecurityPolicy, providerError, returnPage, styleHandover } from "./pages/index.js";
import type { ProviderSecrets } from "./secrets.js";
import { burnCodes, throttleRequests, tooManyRequests } from "./throttle-requests.js";

export interface ProviderOptions {
  publicOrigin: string;
  /** Path of the provider. The issuer is the public origin followed by this path. */
  mountPath: string;
  /** Whether the client of the console exists. */
  hasConsole: boolean;
  /** Where the humans come from. */
  humans: Humans;
  secrets: ProviderSecrets;
  /** HMAC key of the one-time tokens of forms. */
  formKey: string;
  store: IdentityStore;
  connections: Connections;
  throttle: SourceThrottle;
  sourceOf: SourceOf;
  log: Log;
  now: () => number;
  /** See `DocumentFetchOptions`. */
  testServers?: TestServers | undefined;
}

/**
 * Returns the OpenID provider and authorization server as Koa middleware: it signs humans in to Wireroom's
 * own clients, and lets them connect applications to their handles.
 */
export async function createProvider(options: ProviderOptions): Promise<Middleware> {
  const {
    publicOrigin,
    mountPath,
    hasConsole,
    humans,
    secrets,
    store,
    connections,
    throttle,
    sourceOf,
    log,
    now,
  } = options;
  const { Provider, errors, interactionPolicy } = await loadOidcProvider();
  const requests = new AsyncLocalStorage<RequestScope>();
  const source = () => requests.getStore()!.source;
  /** Runs a check of the throttle. Converts its error to one of oidc-provider. */
  const throttled = <Result>(ctx: KoaContextWithOIDC | undefined, check: () => Result): Result => {
    try {
      return check();
    } catch (error) {
      throw ctx ? tooManyRequests(ctx, error, errors) : error;
    }
  };
  const applications = new ApplicationRecords({
    ...{ store, connections, now, errors, context: () => Provider.ctx },
    hasVersions: humans.hasVersions,
    tooManyClients: () => tooManyRequests(Provider.ctx!, tooManyClients(), errors) as Error,
    tooManyRefreshes: (waitMs) => tooManyRequests(Provider.ctx!, tooManyRefreshes(waitMs), errors) as Error,
  });
  const adapter = createAdapter({
    ...{ store, humans, applications, now },
    alreadyUsed: () => new errors.InvalidGrant("already used"),
    tooLarge: () => new errors.InvalidRequest("the parameters of the request are too long"),
    // Counts a user code as a wrong try of the source of the current request, until it turns out to be right.
    countUserCode: () =>
      throttled(Provider.ctx, () => {
        if (!Provider.ctx) return () => {};
        throttle.assertMayTry(source());
        return throttle.countWrongTry(source());
      }),
  });

  const provider = new Provider(
    `${publicOrigin}${mountPath}`,
    configuration({
      clients: [...humans.clients, ...(hasConsole ? [consoleMetadata(publicOrigin)] : [])],
      ...{ publicOrigin, mountPath, adapter, humans, errors, interactionPolicy },
      jwks: structuredClone(secrets.jwks),
      cookieKeys: secrets.cookieKeys,
      fetchDocument: createDocumentFetch({
        ...{ log, now, testServers: options.testServers },
        request: () => requests.getStore()!,
      }),
      countFetch: (ctx) =>
        throttled(ctx, () => {
          if (requests.getStore()!.documents.size === 0) throttle.countRequest(source());
        }),
      newClientId: (ctx) =>
        throttled(ctx, () => {
          throttle.countRegistration(source());
          return newId();
        }),
    }),
  );
  nameTokens(provider);
  replaceRedirectRules(provider);
  humans.addGrantTypes?.(provider, errors);
  provider.on("server_error", (ctx, error) => {
    // The status is 503 if the database is unreachable, as for REST requests
    // (docs/specification/errors.md#codes).
    if (["StoreUnavailable", "StoreFailed", "StoreDamaged"].includes(error.name)) {
      ctx.status = 503;
      ctx.set("Retry-After", "1");
    }
    log.error({ route: ctx.oidc?.route, ...errorFields(error) }, "the identity provider failed");
  });

  provider.on("grant.error", askToRetry);
  provider.on("grant.error", nameForbiddenGrant);
  provider.on("revocation.error", askToRetry);

  provider.on("authorization.error", rememberError);
  // oidc-provider leaves the cookie of an interaction that has ended in the browser.
  provider.on("interaction.ended", ({ cookies, oidc }) => {
    const path = `${mountPath}/interaction/${oidc.entities.Interaction!.uid}`;
    cookies.set(provider.cookieName("interaction"), null, {
      path,
      httpOnly: true,
      sameSite: "lax",
      signed: true,
    });
  });

  const formTokens = createFormTokens(options.formKey, store, now);
  provider.use(overrideOrigin(publicOrigin, (ctx) => provider.createContext(ctx.req, ctx.res).cookies));
  provider.use((ctx, next) => requests.run({ source: sourceOf(ctx.req), documents: new Map() }, next));
  provider.use(setSecurityHeaders);
  provider.use(styleHandover);
  provider.use(removeUnexpectedQuery);
  provider.use(crossOriginAccess());
  provider.use(throttleRequests(throttle, sourceOf));
  if (hasConsole)
    provider.use(
      consoleSession({
        ...{ publicOrigin, mountPath, store, applications },
        cookieName: `${cookiePrefix(publicOrigin)}wireroom_console`,
        sessionCookie: provider.cookieName("session"),
      }),
    );
  for (const routes of humans.routes) provider.use(routes);
  const consent = createConsent({
    ...{ provider, connections, keepClient: (clientId) => applications.keepClient(clientId) },
  });
  provider.use(
    interactionRoutes({
      ...{ provider, humans, formTokens, consent },
      countRequest: () => throttle.countRequest(source()),
    }),
  );
  provider.use(limitParameters(providerError));
  provider.use(normalizeRequests());
  provider.use(addApplicationScope());
  provider.use(stopOpenRedirects(returnPage));
  provider.use(burnCodes(store, now, (grantId) => applications.endGrant(grantId)));
  return mount(mountPath, provider);
}

/** Sets the form of the access tokens of applications, and of the refresh tokens that name their grant. */
function nameTokens({ AccessToken, RefreshToken }: Provider): void {
  replaceTokenId(AccessToken, isApplication, () => newAccessToken());
  replaceTokenId(RefreshToken, hasGracePeriod, ({ grantId = "" }, id) => refreshTokenOf(grantId, id));
}

/** The method of oidc-provider's tokens that generates their value. The type definitions lack it. */
interface Token {
  clientId?: string;
  grantId?: string;
  generateTokenId(): string;
}

/**
 * @param applies whether the tokens of a client get another value
 * @param idOf returns this value; `id` is the one that oidc-provider has generated
 */
function replaceTokenId(
  model: { prototype: object },
  applies: (clientId: string | undefined) => boolean,
  idOf: (token: Token, id: string) => string,
): void {
  const prototype = model.prototype as Token;
  const { generateTokenId } = prototype;
  prototype.generateTokenId = function generate(this: Token) {
    const id = generateTokenId.call(this);
    return applies(this.clientId) ? idOf(this, id) : id;
  };
}

function tooManyClients(): WireroomError {
  return new WireroomError("RATE_LIMITED", "there are too many registered clients; try again later", {
    retry_after: HOUR / SECOND,
  });
}

function tooManyRefreshes(waitMs: number): WireroomError {
  return new WireroomError("RATE_LIMITED", "the connection was refreshed too often", {
    retry_after: Math.ceil(waitMs / SECOND),
  });
}

/**
 * Returns middleware that sets the origin of every request to the configured public origin. oidc-provider
 * derives URLs and cookies from the request, so forged `Host` or `X-Forwarded-*` headers could otherwise
 * redirect users to another server.
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
 * Answers 503 if the metadata document of a client cannot be fetched for a moment. oidc-provider calls that
 * an invalid client, after which applications forget their connection.
 */
function askToRetry(ctx: KoaContextWithOIDC, error: Error): void {
  if (!(error.cause instanceof DocumentUnavailable)) return;
  ctx.status = 503;
  ctx.set("Retry-After", "5");
  const description = "the metadata document of the client cannot be fetched now";
  ctx.body = { error: "temporarily_unavailable", error_description: description };
}

/**
 * Answers `unauthorized_client` to a grant that the client may not use (RFC 6749, section 5.2). oidc-provider
 * answers `invalid_request`.
 */
function nameForbiddenGrant(ctx: KoaContextWithOIDC, { message }: Error): void {
  if (message !== "invalid_request") return;
  const { client, params } = ctx.oidc;
  const grantType = params?.grant_type;
  if (!client || typeof grantType !== "string" || client.grantTypeAllowed(grantType)) return;
  ctx.body = { error: "unauthorized_client", error_description: "the client may not use this grant type" };
}

/**
 * Removes the query from URLs that resume a sign-in. oidc-provider throws if such a URL has a query and the
 * request has no cookie.
 */
const removeUnexpectedQuery: Middleware = (ctx, next) => {
  if (/^\/(auth|device)\/[^/]+$/i.test(ctx.path)) ctx.querystring = "";
  return next();
};
