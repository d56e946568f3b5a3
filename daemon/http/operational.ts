/** What operators and tools ask of the daemon itself (decisions, section 12). None of it needs a key. */
import { Router } from "@koa/router";
import type { Context as KoaContext, Middleware } from "koa";
import type { Logger } from "pino";
import { openApiDocument } from "../../src/generate/openapi.js";
import type { Service } from "../../src/service/context.js";
import { pingStore } from "../../src/service/ping.js";
import type { Metrics } from "./metrics.js";
import { answerJson, type RequestState } from "./requests.js";

export function operational(service: Service, metrics: Metrics, log: Logger): Middleware {
  const router = new Router({ sensitive: true, strict: true });
  const document = JSON.stringify(openApiDocument(service.baseUrl));
  const get = (path: string, name: string, answer: (ctx: KoaContext) => Promise<void> | void) =>
    router.get(path, async (ctx: KoaContext) => {
      (ctx.state as RequestState).operation = name;
      await answer(ctx);
    });
  get("/healthz", "healthz", (ctx) => answerJson(ctx, 200, '{"status":"ok"}'));
  get("/readyz", "readyz", async (ctx) => {
    try {
      await pingStore(service.store);
      answerJson(ctx, 200, '{"status":"ready"}');
    } catch (error) {
      log.warn({ err: error }, "the store does not answer");
      answerJson(ctx, 503, '{"status":"unavailable"}');
    }
  });
  get("/metrics", "metrics", async (ctx) => {
    ctx.set("Content-Type", metrics.registry.contentType);
    ctx.body = await metrics.registry.metrics();
  });
  get("/v1/openapi.json", "openapi", (ctx) => answerJson(ctx, 200, document));
  return router.routes() as unknown as Middleware;
}
