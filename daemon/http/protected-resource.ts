/**
 * Which identity provider the dashboard operations trust (RFC 9728): clients that sign people in need no configuration.
 * Only the REST root has such a document: the MCP endpoint takes API keys, and its clients must not start a sign-in.
 */
import type { Middleware } from "koa";
import type { IdentityService } from "../identity/index.js";
import { answerJson, type RequestState } from "./requests.js";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** @param baseUrl the REST base url as it is handed out */
export function protectedResource(baseUrl: string, identity: IdentityService): Middleware {
  const { issuer, clientId, codes } = identity.describe();
  const path = `${WELL_KNOWN}${new URL(baseUrl).pathname}`;
  const document = JSON.stringify({
    resource: baseUrl,
    resource_name: "Wireroom",
    authorization_servers: [issuer],
    scopes_supported: ["openid", "email"],
    bearer_methods_supported: ["header"],
    // Additions, as section 2 of the RFC allows: ID tokens carry the client's id as their audience.
    wireroom_client_id: clientId,
    ...(codes && { wireroom_codes: codes }),
  });
  return async (ctx, next) => {
    if (ctx.method !== "GET" || ctx.path !== path) return next();
    (ctx.state as RequestState).operation = "protected-resource";
    answerJson(ctx, 200, document);
  };
}
