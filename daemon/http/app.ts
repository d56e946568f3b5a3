/** The Koa application: everything that the daemon answers over HTTP. */
import type { RequestListener } from "node:http";
import Koa, { type Context as KoaContext } from "koa";
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
import { PREFIX, rest } from "./rest.js";

export function createApp(
  service: Service,
  identity: IdentityService,
  hosts: ServedHosts,
  log: Logger,
): RequestListener {
  const app = new Koa();
  const metrics = new Metrics(() => service.store.bell.size);
  const around = aroundRequests(log, metrics, service.stopping);
  const operations = rest(service, identity.verify, log);
  const unkeyed = operational(service, metrics, log);
  app.use(around);
  app.use(operations);
  app.use(mcp(service, hosts, log));
  if (identity.middleware) app.use(identity.middleware);
  app.use(protectedResource(service.baseUrl, identity));
  app.use(unkeyed);
  app.use(assertKnown);
  // What cannot be answered any more, such as a client that is gone, is no error of ours.
  app.on("error", (error: Error) => log.debug({ err: error }, "connection failed"));
  const answer = app.callback();
  return (request, response) => {
    if (!request.url!.startsWith(`${PREFIX}/`)) return void answer(request, response);
    // Past Koa's callback, which listens for the end of each response, and answers what was left to it: nothing is, here, and the
    // listening took a fifteenth of the time of a short request.
    const ctx: KoaContext = app.createContext(request, response);
    const unanswered = async () => assertKnown(ctx);
    const answered = around(ctx, () => operations(ctx, () => unkeyed(ctx, unanswered)));
    (answered as Promise<void>).catch((error: Error) => ctx.onerror(error));
  };
}

/** Throws where nothing has taken up the request. */
function assertKnown({ method, path, state }: KoaContext): void {
  if (state.operation !== undefined) return;
  const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path;
  throw new WireroomError(
    "NOT_FOUND",
    `there is no ${method} ${shown}; GET /v1/openapi.json lists what there is`,
  );
}
