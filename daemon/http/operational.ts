/** What operators and tools ask of the daemon itself. None of it needs a key. */
import type { Router } from "@koa/router";
import type { Context as KoaContext } from "koa";
import { openApiDocument } from "../../src/generate/openapi.js";
import { pingStore } from "../../src/service/host/store.js";
import type { Service } from "../../src/service/pipeline/context.js";
import type { IdentityService } from "../identity/index.js";
import { sendJson, stateOf } from "./koa-context.js";
import type { Metrics } from "./metrics.js";

export function operationalRoutes(
  router: Router,
  service: Service,
  identity: IdentityService,
  metrics: Metrics,
): void {
  const get = (path: string, name: string, answer: (ctx: KoaContext) => Promise<void> | void) =>
    router.get(path, (ctx: KoaContext) => {
      stateOf(ctx).operation = name;
      return answer(ctx);
    });
  get("/healthz", "healthz", (ctx) => sendJson(ctx, 200, '{"status":"ok"}'));
  get("/readyz", "readyz", async (ctx) => {
    try {
      await pingStore(service.store);
      sendJson(ctx, 200, '{"status":"ready"}');
    } catch (error) {
      stateOf(ctx).log.warn({ err: error }, "the store does not answer");
      sendJson(ctx, 503, '{"status":"unavailable"}');
    }
  });
  get("/metrics", "metrics", async (ctx) => {
    ctx.set("Content-Type", metrics.registry.contentType);
    ctx.body = await metrics.registry.metrics();
  });
  const openApi = JSON.stringify(openApiDocument(service.baseUrl));
  get("/v1/openapi.json", "openapi", (ctx) => sendJson(ctx, 200, openApi));
  const resource = JSON.stringify(protectedResource(service.baseUrl, identity));
  const resourcePath = `/.well-known/oauth-protected-resource${new URL(service.baseUrl).pathname}`;
  get(resourcePath, "protected-resource", (ctx) => sendJson(ctx, 200, resource));
}

/**
 * The identity provider that the dashboard operations trust (RFC 9728), so that clients that sign people in need no configuration.
 * Only the REST root has such a document: the MCP endpoint takes API keys, and its clients must not start a sign-in.
 */
function protectedResource(baseUrl: string, identity: IdentityService): object {
  const { issuer, clientId, codes } = identity.describe();
  return {
    resource: baseUrl,
    resource_name: "Wireroom",
    authorization_servers: [issuer],
    scopes_supported: ["openid", "email"],
    bearer_methods_supported: ["header"],
    // Additions, as section 2 of the RFC allows: ID tokens carry the client's id as their audience.
    wireroom_client_id: clientId,
    ...(codes && { wireroom_codes: codes }),
  };
}
