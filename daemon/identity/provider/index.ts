/** Builds the authorization server from oidc-provider and Wireroom's own rules. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Context, Middleware } from "koa";
import compose from "koa-compose";
import type Provider from "oidc-provider";
import type { KoaContextWithOIDC } from "oidc-provider";
import { newAccessToken, newId } from "../../../src/kernel/ids.js";
import { errorFields } from "../log.js";
import type { IdentityContext } from "../service.js";
import { replaceRedirectRules } from "./clients/client-metadata.js";
import { createDocumentFetch, DocumentUnavailable, type RequestScope } from "./clients/metadata-documents.js";
import { consoleMetadata, hasGracePeriod, isApplication } from "./clients/own-clients.js";
import { configuration } from "./configuration.js";
import { loadOidcProvider } from "./load.js";
import { contentSecurityPolicy, providerError, returnPage, styleSelfSubmittingForm } from "./pages/index.js";
import { createAdapter } from "./records/adapter.js";
import { Grants, refreshTokenOf } from "./records/grants.js";
import {
  addApplicationScope,
  limitParameters,
  normalizeRequests,
  rememberError,
  stopOpenRedirects,
} from "./requests/application-requests.js";
import { crossOriginAccess } from "./requests/cross-origin.js";
import { resourcesOf } from "./requests/resources.js";
import { burnCodes, throttleRequests } from "./requests/throttle-requests.js";
import { tooManyRequests } from "./requests/too-many-requests.js";
import type { ProviderSecrets } from "./secrets.js";
import { Consent } from "./sign-in/consent.js";
import { consoleSession } from "./sign-in/console-session.js";
import { FormTokens } from "./sign-in/form-tokens.js";
import type { Humans } from "./sign-in/humans.js";
import { interactionRoutes } from "./sign-in/interactions.js";

const requests = new AsyncLocalStorage<RequestScope>();
/** Number of requests in progress. */
let running = 0;

/**
 * Returns the OpenID provider and authorization server as Koa middleware. It signs humans in to Wireroom's
 * own clients, and connects applications to handles.
 * @param mountPath the provider's path; the issuer is the public origin followed by this path
 * @param humans the daemon's accounts or an external provider's humans
 */
export async function createProvider(
  context: IdentityContext,
  mountPath: string,
  humans: Humans,
  secrets: ProviderSecrets,
): Promise<Middleware> {
  const { publicOrigin, settings, throttle, sourceOf, log } = context;
  const hasConsole = settings.console !== false;
  const { Provider, errors, interactionPolicy, contexts } = await loadOidcProvider();
  const source = () => requests.getStore()!.source;
  const throttled = <Result>(ctx: KoaContextWithOIDC | undefined, check: () => Result): Result => {
    try {
      return check();
    } catch (error) {
      throw ctx ? tooManyRequests(ctx, error, errors) : error;
    }
  };
  const grants = new Grants(context, humans.hasVersions, errors, () => Provider.ctx);
  // Counts a user code as wrong. Returns a function that removes the count if the code is right.
  const countUserCode = () =>
    throttled(Provider.ctx, () => {
      if (!Provider.ctx) return () => {};
      throttle.assertMayTry(source());
      return throttle.countWrongTry(source());
    });
  const adapter = createAdapter(context, humans, grants, errors, countUserCode);
  const resources = resourcesOf(publicOrigin);

  const provider = new Provider(
    `${publicOrigin}${mountPath}`,
    configuration({
      clients: [...humans.clients, ...(hasConsole ? [consoleMetadata(publicOrigin)] : [])],
      ...{ publicOrigin, resources, mountPath, adapter, humans, errors, interactionPolicy },
      jwks: structuredClone(secrets.jwks),
      cookieKeys: secrets.cookieKeys,
      fetchDocument: createDocumentFetch(context, () => requests.getStore()!),
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
    // Respond with 503 if the database is unreachable, as the REST API does
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
  // oidc-provider does not delete the interaction's cookie itself.
  provider.on("interaction.ended", ({ cookies, oidc }) => {
    const path = `${mountPath}/interaction/${oidc.entities.Interaction!.uid}`;
    cookies.set(provider.cookieName("interaction"), null, {
      path,
      httpOnly: true,
      sameSite: "lax",
      signed: true,
    });
  });

  const formTokens = new FormTokens(context);
  provider.use(overrideOrigin(publicOrigin, (ctx) => provider.createContext(ctx.req, ctx.res).cookies));
  provider.use((ctx, next) => requests.run({ source: sourceOf(ctx.req), documents: new Map() }, next));
  provider.use(setSecurityHeaders);
  provider.use(styleSelfSubmittingForm);
  provider.use(removeUnexpectedQuery);
  provider.use(crossOriginAccess());
  provider.use(throttleRequests(throttle, sourceOf));
  if (hasConsole) provider.use(consoleSession(context, mountPath, grants, provider.cookieName("session")));
  for (const routes of humans.routes(provider)) provider.use(routes);
  const consent = new Consent(
    provider,
    context.connections,
    grants,
    hasConsole ? `${publicOrigin}/console` : undefined,
  );
  const countForm = () => throttle.countRequest(source());
  provider.use(interactionRoutes(provider, humans, consent, formTokens, countForm));
  provider.use(limitParameters(providerError));
  provider.use(normalizeRequests(resources));
  provider.use(addApplicationScope());
  provider.use(stopOpenRedirects(returnPage));
  provider.use(burnCodes(context, grants));
  const serve = compose(provider.middleware);
  return below(mountPath, async (ctx, next) => {
    running++;
    try {
      await serve(ctx, next);
    } finally {
      running--;
      // On Node 20 and 22, every promise of the process is slower while an AsyncLocalStorage is enabled.
      if (running === 0) for (const storage of [requests, contexts]) storage.disable();
    }
  });
}

/** Runs `serve` for paths below `mountPath`, which it removes from the path. */
function below(mountPath: string, serve: Middleware): Middleware {
  return async (ctx, next) => {
    const { path } = ctx;
    if (path !== mountPath && !path.startsWith(`${mountPath}/`)) return next();
    const inner = path.slice(mountPath.length) || "/";
    ctx.mountPath = mountPath;
    ctx.path = inner;
    try {
      await serve(ctx, async () => {
        ctx.path = path;
        await next();
        ctx.path = inner;
      });
    } finally {
      ctx.path = path;
    }
  };
}

/** Sets the format of applications' access tokens, and lets refresh tokens begin with their grant's id. */
function nameTokens({ AccessToken, RefreshToken }: Provider): void {
  replaceTokenId(AccessToken, isApplication, () => newAccessToken());
  replaceTokenId(RefreshToken, hasGracePeriod, ({ grantId = "" }, id) => refreshTokenOf(grantId, id));
}

interface Token {
  clientId?: string;
  grantId?: string;
  generateTokenId(): string;
}

/**
 * Replaces the ids that oidc-provider generates for new tokens.
 * @param applies whether to replace the ids of a client's tokens
 * @param idOf returns the new id, given the generated one
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

/**
 * Sets every request's origin to the public one. oidc-provider derives URLs and cookies from the origin, so
 * forged headers could otherwise send humans to another server.
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
    // Sign cookies with the provider's keys, not with the keys of the Koa application that mounts it.
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
 * Responds with 503 if a client's metadata document is temporarily unavailable. oidc-provider would report an
 * invalid client, and applications would then forget their connection.
 */
function askToRetry(ctx: KoaContextWithOIDC, error: Error): void {
  if (!(error.cause instanceof DocumentUnavailable)) return;
  ctx.status = 503;
  ctx.set("Retry-After", "5");
  const description = "the metadata document of the client cannot be fetched now";
  ctx.body = { error: "temporarily_unavailable", error_description: description };
}

/**
 * Responds with `unauthorized_client` if the client may not use the grant type (RFC 6749, section 5.2), where
 * oidc-provider would respond with `invalid_request`.
 */
function nameForbiddenGrant(ctx: KoaContextWithOIDC, { message }: Error): void {
  if (message !== "invalid_request") return;
  const { client, params } = ctx.oidc;
  const grantType = params?.grant_type;
  if (!client || typeof grantType !== "string" || client.grantTypeAllowed(grantType)) return;
  ctx.body = { error: "unauthorized_client", error_description: "the client may not use this grant type" };
}

/**
 * Removes the query from URLs that resume a sign-in, because oidc-provider throws if such a URL has a query
 * and the request has no cookie.
 */
const removeUnexpectedQuery: Middleware = (ctx, next) => {
  if (/^\/(auth|device)\/[^/]+$/i.test(ctx.path)) ctx.querystring = "";
  return next();
};
