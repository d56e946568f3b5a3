/** Routes for the daemon itself: health checks, metrics and the OpenAPI document. They need no API key. */
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
  const get = (path: string, name: string, respond: (ctx: KoaContext) => Promise<void> | void) =>
    router.get(path, (ctx: KoaContext) => {
      stateOf(ctx).operation = name;
      return respond(ctx);
    });
  get("/healthz", "healthz", (ctx) => sendJson(ctx, 200, '{"status":"ok"}'));
  get("/readyz", "readyz", async (ctx) => {
    try {
      await pingStore(service.store);
      sendJson(ctx, 200, '{"status":"ready"}');
    } catch (error) {
      stateOf(ctx).log.warn({ err: error }, "the database cannot be used");
      sendJson(ctx, 503, '{"status":"unavailable"}');
    }
  });
  get("/metrics", "metrics", async (ctx) => {
    ctx.set("Content-Type", metrics.contentType);
    ctx.body = await metrics.text();
  });
  let openApi: Buffer | undefined;
  get("/v1/openapi.json", "openapi", (ctx) => {
    // As bytes, because anyone may request the document, and converting the text takes 1 ms.
    openApi ??= Buffer.from(JSON.stringify(openApiDocument(service.baseUrl)));
    sendJson(ctx, 200, openApi);
  });
  const resource = JSON.stringify(protectedResource(service.baseUrl, identity));
  const resourcePath = `/.well-known/oauth-protected-resource${new URL(service.baseUrl).pathname}`;
  get(resourcePath, "protected-resource", (ctx) => sendJson(ctx, 200, resource));
}

/**
 * Returns the protected-resource metadata (RFC 9728). It names the identity provider, so that clients can sign in humans
 * without configuration. The MCP endpoint has no such document, because it accepts API keys and its clients must not start a
 * sign-in.
 */
function protectedResource(baseUrl: string, identity: IdentityService): object {
  const { issuer, clientId, codes } = identity.describe();
  return {
    resource: baseUrl,
    resource_name: "Wireroom",
    authorization_servers: [issuer],
    scopes_supported: ["openid", "email"],
    bearer_methods_supported: ["header"],
    // RFC 9728, section 2 allows extra fields. The client id is also the audience of ID tokens.
    wireroom_client_id: clientId,
    ...(codes && { wireroom_codes: codes }),
  };
}
