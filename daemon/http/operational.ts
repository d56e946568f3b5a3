/** Routes that need no API key: health checks, metrics, the OpenAPI document, and metadata. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Router } from "@koa/router";
import type { Context as KoaContext, Middleware } from "koa";
import { openApiDocument } from "../../src/generate/openapi.js";
import { SECOND } from "../../src/kernel/clock.js";
import { withLoopbackName } from "../../src/kernel/loopback.js";
import type { Service } from "../../src/service/pipeline/context.js";
import type { IdentityService } from "../identity/index.js";
import { allowAnyOrigin } from "../identity/provider/requests/cross-origin.js";
import { pingStore } from "../store.js";
import type { Metrics } from "./metrics.js";
import { stateOf } from "./request.js";
import { sendJson } from "./responses.js";

/**
 * Time limit for checking whether writes work again. It must be below Prometheus' default scrape timeout of
 * ten seconds.
 */
const LONGEST_PROBE_MS = 2 * SECOND;

export function operationalRoutes(router: Router, service: Service, metrics: Metrics): void {
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
    // Check whether writes work again, because the metrics would otherwise report the failure until somebody
    // requests `/readyz`.
    const { store } = service;
    if (store.engine.isWriteFailing)
      await Promise.race([
        pingStore(store).catch(() => undefined),
        sleep(LONGEST_PROBE_MS, undefined, { ref: false }),
      ]);
    ctx.set("Content-Type", metrics.contentType);
    ctx.body = await metrics.text();
  });
  let openApi: Buffer | undefined;
  get("/v1/openapi.json", "openapi", (ctx) => {
    // Cache the document as bytes, because anyone may request it, and converting the text each time is slow.
    openApi ??= Buffer.from(JSON.stringify(openApiDocument(service.baseUrl)));
    sendJson(ctx, 200, openApi);
  });
}

/**
 * Adds the routes that tell clients how to sign in: the metadata of the API and MCP endpoint (RFC 9728) and
 * of the authorization server (RFC 8414). Web pages from any origin may read them.
 */
export function metadataRoutes(router: Router, { baseUrl }: Service, identity: IdentityService): void {
  const route = (path: string, name: string, respond: Middleware) =>
    router.register(path, ["GET", "OPTIONS"], (ctx: KoaContext, next) => {
      // An OPTIONS request that is not a preflight request gets 404, as on all other paths.
      const isPreflight = ctx.method === "OPTIONS" && ctx.get("access-control-request-method") !== "";
      if (ctx.method === "OPTIONS" && !isPreflight) return next();
      stateOf(ctx).operation = name;
      allowAnyOrigin(ctx);
      if (!isPreflight) return respond(ctx, next);
      ctx.set({ "Access-Control-Allow-Methods": "GET", "Access-Control-Allow-Headers": "*" });
      ctx.status = 204;
      return undefined;
    });
  for (const path of ["", "/mcp", "/mcp/", "/v1"])
    route(`${RESOURCE_METADATA}${path}`, "protected-resource", (ctx) => {
      const resource = `${originOf(ctx, baseUrl)}${path === "/v1" ? path : "/mcp"}`;
      sendJson(ctx, 200, JSON.stringify(protectedResource(resource, identity)));
    });
  const { middleware } = identity;
  if (!middleware) return;
  // In the metadata URL, `/.well-known/…` comes before the issuer's path (RFC 8414, section 3.1). Older
  // clients omit the issuer's path.
  for (const name of ["oauth-authorization-server", "openid-configuration"]) {
    for (const path of ["", "/identity"])
      route(`/.well-known/${name}${path}`, "identity", (ctx, next) => {
        ctx.path = `/identity/.well-known/${name}`;
        return middleware(ctx, next);
      });
  }
}

/**
 * Returns the origin of the daemon's URLs. A loopback origin gets the host name that the client has used,
 * because clients compare a resource's URL with the URL that they know.
 */
function originOf({ hostname }: KoaContext, baseUrl: string): string {
  return withLoopbackName(new URL(baseUrl).origin, hostname);
}

const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

/** A 401 response's challenge names the resource's metadata (docs/specification/identity.md#discovery). */
export function challenges({ baseUrl }: Service, identity: IdentityService): (ctx: KoaContext) => string {
  if (identity.describe().authorizationServer === undefined) return () => "Bearer";
  return (ctx) => {
    const path = /^\/mcp\/?$/.test(ctx.path) ? "/mcp" : "/v1";
    return `Bearer resource_metadata="${originOf(ctx, baseUrl)}${RESOURCE_METADATA}${path}", scope="wireroom"`;
  };
}

function protectedResource(resource: string, identity: IdentityService): object {
  const { issuer, clientId, authorizationServer, codes } = identity.describe();
  return {
    resource,
    resource_name: "Wireroom",
    authorization_servers: [authorizationServer ?? issuer],
    scopes_supported: authorizationServer === undefined ? ["openid", "email"] : ["wireroom"],
    bearer_methods_supported: ["header"],
    // RFC 9728, section 2 allows additional fields.
    ...(resource.endsWith("/v1") && {
      wireroom_issuer: issuer,
      wireroom_client_id: clientId,
      ...(codes && { wireroom_codes: codes }),
    }),
  };
}
