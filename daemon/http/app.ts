/** The Koa application: everything that the daemon answers over HTTP. */
import Koa from "koa";
import type { Logger } from "pino";
import { WireroomError } from "../../src/contract/errors.js";
import type { Service } from "../../src/service/context.js";
import type { IdentityService } from "../identity/index.js";
import { mcp } from "../mcp/endpoint.js";
import type { ServedHosts } from "../mcp/served-hosts.js";
import { Metrics } from "./metrics.js";
import { operational } from "./operational.js";
import { protectedResource } from "./protected-resource.js";
import { aroundRequests } from "./requests.js";
import { rest } from "./rest.js";

export function createApp(service: Service, identity: IdentityService, hosts: ServedHosts, log: Logger): Koa {
  const app = new Koa();
  const metrics = new Metrics(() => service.store.bell.size);
  app.use(aroundRequests(log, metrics, service.stopping));
  // What is called most comes first.
  app.use(rest(service, identity.verify, log));
  app.use(mcp(service, hosts, log));
  if (identity.middleware) app.use(identity.middleware);
  app.use(protectedResource(service.baseUrl, identity));
  app.use(operational(service, metrics, log));
  app.use((ctx) => {
    if (ctx.state.operation === undefined) throw unknownPath(ctx.method, ctx.path);
  });
  // What cannot be answered any more, such as a client that is gone, is no error of ours.
  app.on("error", (error: Error) => log.debug({ err: error }, "connection failed"));
  return app;
}

function unknownPath(method: string, path: string): WireroomError {
  const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path;
  return new WireroomError(
    "NOT_FOUND",
    `there is no ${method} ${shown}; GET /v1/openapi.json lists what there is`,
  );
}
