import type { Context, Middleware } from "koa";
import type { errors as Errors, KoaContextWithOIDC } from "oidc-provider";
import { WireroomError } from "../../../src/contract/errors.js";
import type { SourceOf } from "../../http/source.js";
import type { IdentityStore } from "../identity-store.js";
import type { SourceThrottle } from "../throttle/source-throttle.js";
import { storedId } from "./adapter.js";
import { isApplication } from "./client.js";
import * as pages from "./pages/index.js";

/**
 * Paths that neither write to the database without a credential nor hash a password. All others count,
 * because oidc-provider ignores the case of paths. The forms of an interaction are counted where they are
 * handled.
 */
const CHEAP =
  /^\/(\.well-known\/.*|callback|console\/session|jwks|me|token|token\/revocation|interaction\/[\w-]+)$/;

/** Returns middleware that counts costly requests by source. It responds with 429 after too many. */
export function throttleRequests(throttle: SourceThrottle, sourceOf: SourceOf): Middleware {
  return (ctx, next) => {
    if (ctx.method === "OPTIONS" || CHEAP.test(ctx.path)) return next();
    try {
      throttle.countRequest(sourceOf(ctx.req));
    } catch (error) {
      return showTooManyRequests(ctx, error);
    }
    return next();
  };
}

/** Shows RATE_LIMITED as a page. Throws any other error, and RATE_LIMITED too if the client asks for JSON. */
export function showTooManyRequests(ctx: Context, error: unknown): void {
  const isShown =
    error instanceof WireroomError && error.code === "RATE_LIMITED" && ctx.accepts("json", "html") === "html";
  if (!isShown) throw error;
  ctx.status = error.status;
  setRetryAfter(ctx, error);
  pages.errorPage(ctx, "There were too many requests from your network. Try again in a few minutes.");
}

/**
 * Converts RATE_LIMITED to an error of oidc-provider with status 429. Returns any other error unchanged.
 */
export function tooManyRequests(ctx: KoaContextWithOIDC, error: unknown, errors: typeof Errors): unknown {
  if (!(error instanceof WireroomError) || error.code !== "RATE_LIMITED") return error;
  setRetryAfter(ctx, error);
  const refusal = new errors.CustomOIDCProviderError("temporarily_unavailable", error.message);
  return Object.assign(refusal, { status: error.status, statusCode: error.status });
}

function setRetryAfter(ctx: Pick<Context, "set">, { details }: WireroomError): void {
  ctx.set("Retry-After", String(details.retry_after ?? 1));
}

/**
 * Returns middleware that uses up the authorization code of a token request that failed before the provider
 * looked at the code, for example because another parameter was missing. The adapter uses up all other codes.
 * If the code of an application was used before, its grant ends. Nothing else belongs to this grant.
 */
export function burnCodes(
  store: IdentityStore,
  now: () => number,
  endGrant: (grantId: string) => Promise<void>,
): Middleware {
  return async (ctx, next) => {
    await next();
    const { oidc } = ctx as Partial<KoaContextWithOIDC>;
    if (ctx.status < 400 || oidc?.route !== "token") return;
    const { grant_type: grantType, code } = oidc.params ?? {};
    if (grantType !== "authorization_code" || typeof code !== "string") return;
    const id = storedId("AuthorizationCode", code);
    if (await store.consumeRecord("AuthorizationCode", id, now())) return;
    const record = await store.findRecord("AuthorizationCode", { id });
    const { clientId } = JSON.parse(record?.payload ?? "{}") as { clientId?: string };
    if (record?.grantId && isApplication(clientId)) await endGrant(record.grantId);
  };
}
