/** One HTTP request to the endpoint: what its messages ask for, whichever version of the protocol they speak. */
import type { Context as KoaContext } from "koa";
import type { Logger } from "pino";
import { invalid, type WireroomError } from "../../src/contract/errors.js";
import { type McpTool, toolDefinitions } from "../../src/generate/mcp.js";
import { type Json, joined, textOf } from "../../src/kernel/verbatim.js";
import { type Agent, contextOf, type Service } from "../../src/service/context.js";
import { invoke } from "../../src/service/invoke.js";
import { signalOf } from "../http/agent.js";
import { setRateLimitHeaders } from "../http/rate-limit-headers.js";
import { explain, type RequestState } from "../http/requests.js";
import type { PlainCall } from "./plain-call.js";
import { ReadyMade } from "./ready-made.js";
import { type Arguments, toolCall } from "./tool-call.js";
import { type Done, failed, succeeded, succeededJson, type ToolResult } from "./tool-result.js";
import { toolNamed } from "./tools.js";

/** The tools are the same for every caller, and change with the daemon's version alone (protocol 2026-07-28). */
const LISTING = { tools: toolDefinitions, ttlMs: 3_600_000, cacheScope: "public" };

export interface RpcRequest {
  method: string;
  params?: { [name: string]: unknown } | undefined;
}

/** An error of the protocol itself, with JSON-RPC's code. */
class RpcError extends Error {
  constructor(
    readonly code: -32_601 | -32_602,
    message: string,
  ) {
    super(message);
  }
}

export class Exchange {
  private readonly readyMade: ReadyMade;

  /** @param refusal what is wrong with the JSON of a tool's arguments, where something is */
  constructor(
    private readonly ctx: KoaContext,
    private readonly service: Service,
    private readonly caller: Agent,
    private readonly refusal: WireroomError | undefined,
    private readonly log: Logger,
  ) {
    this.readyMade = new ReadyMade((ctx.state as RequestState).requestId);
  }

  /** What is sent, from what the protocol's own machinery has written. */
  complete(answer: string): string {
    return this.readyMade.fill(answer);
  }

  /** The result of a request that the protocol's own machinery leaves to the server. Throws `RpcError`. */
  async answer({ method, params = {} }: RpcRequest): Promise<Record<string, unknown>> {
    if (method === "tools/list") return list(params);
    if (method === "tools/call") return this.call(toolOf(params), params.arguments);
    throw new RpcError(-32_601, "Method not found");
  }

  /** The whole response to a call that needs nothing else of the protocol. */
  async answerPlainly({ id, tool, arguments: given }: PlainCall): Promise<Json> {
    const done = await this.run(tool, given, true);
    const result = "body" in done ? succeededJson(tool, done) : [JSON.stringify(failed(done.error))];
    return joined(['{"result":', ...result, `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`]);
  }

  private async call(tool: McpTool, given: unknown): Promise<ToolResult> {
    const done = await this.run(tool, given, false);
    return "body" in done ? succeeded(tool, textOf(done.body), this.readyMade) : failed(done.error);
  }

  /** What the operation gives, or what went wrong. */
  private async run(
    tool: McpTool,
    given: unknown = {},
    quoted: boolean,
  ): Promise<Done | { error: WireroomError }> {
    const { ctx, service, caller } = this;
    const state = ctx.state as RequestState;
    state.operation = `mcp.${tool.definition.name}`;
    const { operation, ...invocation } = toolCall(tool, this.refusal ?? argumentsOf(given));
    const signal = signalOf(ctx.res, "wait" in invocation.input, service);
    const context = contextOf(service, caller, state.requestId, signal, quoted);
    const outcome = await invoke(operation, context, invocation);
    setRateLimitHeaders(ctx.res, outcome.limits);
    if (!outcome.error) return { body: outcome.body!, quoted: outcome.quoted };
    const error = explain(ctx, outcome.error, this.log);
    state.status = error.status;
    return { error };
  }
}

function list({ cursor }: { cursor?: unknown }) {
  if (cursor === undefined) return LISTING;
  throw new RpcError(-32_602, "the list of tools is one page; it has no cursor");
}

function toolOf({ name }: { name?: unknown }): McpTool {
  if (typeof name !== "string") throw new RpcError(-32_602, "params.name must be the name of a tool");
  const tool = toolNamed(name);
  if (tool) return tool;
  throw new RpcError(-32_602, `Unknown tool: ${name.slice(0, 100)}; tools/list names those there are`);
}

function argumentsOf(given: unknown): Arguments | WireroomError {
  if (given !== null && typeof given === "object" && !Array.isArray(given)) return given as Arguments;
  return invalid({ instancePath: "", keyword: "type", message: "the arguments must be a JSON object" });
}
