/** One request to the endpoint: what it asks of the tools, whichever version of the protocol it speaks. */
import type { Context as KoaContext } from "koa";
import type { Logger } from "pino";
import { mcpTools } from "../../src/generate/mcp.js";
import type { Agent, Context, Service } from "../../src/service/context.js";
import { invoke } from "../../src/service/invoke.js";
import { signalOf } from "../http/agent.js";
import { rateLimitHeaders } from "../http/rate-limit-headers.js";
import { explain, type RequestState } from "../http/requests.js";
import { argumentsById, type Received } from "./message.js";
import { toolCall } from "./tool-call.js";
import { failed, succeeded, type ToolResult } from "./tool-result.js";

const tools = new Map(mcpTools.map((tool) => [tool.definition.name, tool]));

export class Exchange {
  private readonly arguments: Map<unknown, unknown>;

  constructor(
    private readonly ctx: KoaContext,
    private readonly service: Service,
    private readonly caller: Agent,
    private readonly received: Received,
    private readonly log: Logger,
  ) {
    this.arguments = argumentsById(received.message);
  }

  /**
   * Calls a tool; undefined where there is none of that name.
   *
   * @param id of the JSON-RPC request
   */
  async call(name: string, id: string | number): Promise<ToolResult | undefined> {
    const tool = tools.get(name);
    if (!tool) return undefined;
    const { ctx, service, caller, received } = this;
    const state = ctx.state as RequestState;
    state.operation = `mcp.${name}`;
    const { operation, ...invocation } = toolCall(
      tool,
      (this.arguments.get(id) ?? {}) as Record<string, unknown>,
    );
    const context: Context = { ...service, caller, signal: signalOf(ctx.res, operation, service) };
    const outcome = await invoke(operation, context, {
      ...invocation,
      input: received.refusal ?? invocation.input,
    });
    ctx.set(rateLimitHeaders(outcome.limits));
    if (!outcome.error) return succeeded(tool, outcome.body!);
    const error = explain(ctx, outcome.error, this.log);
    state.status = error.status;
    return failed(error);
  }
}
