import type { Context, Middleware } from "koa";
import type { KoaContextWithOIDC } from "oidc-provider";
import { WireroomError } from "../../../../src/contract/errors.js";
import type { SourceOf } from "../../../http/source.js";
import type { IdentityContext } from "../../service.js";
import type { SourceThrottle } from "../../throttle/source-throttle.js";
import { isApplication } from "../clients/own-clients.js";
import * as pages from "../pages/index.js";
import { type Grants, storedId } from "../records/grants.js";
import { setRetryAfter } from "./too-many-requests.js";

/**
 * Paths that are not counted, because without a credential they neither hash a password nor write to the
 * database. The handlers of an interaction's forms count their own requests.
 */
const CHEAP =
  /^\/(\.well-known\/.*|callback|console\/session|jwks|me|token|token\/revocation|interaction\/[\w-]+)$/;

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

/** Shows RATE_LIMITED as a page unless the client asks for JSON. Rethrows other errors. */
export function showTooManyRequests(ctx: Context, error: unknown): void {
  const isShown =
    error instanceof WireroomError && error.code === "RATE_LIMITED" && ctx.accepts("json", "html") === "html";
  if (!isShown) throw error;
  ctx.status = error.status;
  setRetryAfter(ctx, error);
  pages.errorPage(ctx, "There were too many requests from your network. Try again in a few minutes.");
}

/**
 * Invalidates the authorization code of a failed token request, even if oidc-provider did not read the code.
 * If the code was already used, ends the application's grant.
 */
export function burnCodes({ store, now }: IdentityContext, grants: Grants): Middleware {
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
    if (record?.grantId && isApplication(clientId)) await grants.endGrant(record.grantId);
  };
}
