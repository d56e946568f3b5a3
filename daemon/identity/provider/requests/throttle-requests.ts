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
 * Paths that neither write to the database without a credential nor hash a password. All others count. Forms
 * of an interaction are counted where they are handled.
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
 * Returns middleware that uses up the code of a token request that failed before the provider read the code.
 * If the code was used before, the grant of the application ends.
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
