/** Answers the messages of one HTTP request, whichever version of the protocol they speak. */
import type { Context as KoaContext } from "koa";
import { invalid, type WireroomError } from "../../src/contract/errors.js";
import { type McpTool, toolDefinitions } from "../../src/generate/mcp.js";
import { type Json, joined, textOf } from "../../src/kernel/verbatim.js";
import type { Agent, Service } from "../../src/service/pipeline/context.js";
import { contextOf, invoke } from "../../src/service/pipeline/invoke.js";
import { abortSignal, reportError, setRateLimitHeaders, stateOf } from "../http/koa-context.js";
import type { PlainCall } from "./plain-call.js";
import { type Arguments, toolCall, toolNamed } from "./tool-call.js";
import {
  failed,
  Placeholders,
  succeeded,
  succeededJson,
  type ToolOutput,
  type ToolResult,
} from "./tool-result.js";

/** The result of `tools/list`: the same for every caller, and for as long as the daemon runs (protocol 2026-07-28). */
const LISTING = { tools: toolDefinitions, ttlMs: 3_600_000, cacheScope: "public" };

export interface RpcRequest {
  method: string;
  params?: { [name: string]: unknown } | undefined;
}

/** An error of the protocol, with its JSON-RPC code. */
class RpcError extends Error {
  constructor(
    readonly code: -32_601 | -32_602,
    message: string,
  ) {
    super(message);
  }
}

export class Exchange {
  private readonly placeholders: Placeholders;

  /** @param refusal what is wrong with the JSON of a tool call's arguments, if anything */
  constructor(
    private readonly ctx: KoaContext,
    private readonly service: Service,
    private readonly caller: Agent,
    private readonly refusal: WireroomError | undefined,
  ) {
    this.placeholders = new Placeholders(stateOf(ctx).requestId);
  }

  /** Completes a response that an SDK has serialized. */
  complete(response: string): string {
    return this.placeholders.fill(response);
  }

  /** The result of a request that the SDK leaves to the server. Throws `RpcError`. */
  async answer({ method, params = {} }: RpcRequest): Promise<Record<string, unknown>> {
    if (method === "tools/list") return list(params);
    if (method === "tools/call") return this.call(toolOf(params), params.arguments);
    throw new RpcError(-32_601, "Method not found");
  }

  /** The whole response to a plain call, without an SDK. */
  async answerPlainCall({ id, tool, arguments: given }: PlainCall): Promise<Json> {
    const output = await this.run(tool, given, true);
    const result = "body" in output ? succeededJson(tool, output) : [JSON.stringify(failed(output.error))];
    return joined(['{"result":', ...result, `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`]);
  }

  private async call(tool: McpTool, given: unknown): Promise<ToolResult> {
    const output = await this.run(tool, given, false);
    return "body" in output ? succeeded(tool, textOf(output.body), this.placeholders) : failed(output.error);
  }

  private async run(
    tool: McpTool,
    given: unknown = {},
    quoted: boolean,
  ): Promise<ToolOutput | { error: WireroomError }> {
    const { ctx, service, caller } = this;
    const state = stateOf(ctx);
    state.operation = `mcp.${tool.definition.name}`;
    const { operation, ...invocation } = toolCall(tool, this.refusal ?? argumentsOf(given));
    const signal = abortSignal(ctx, "wait" in invocation.input, service);
    const context = contextOf(service, caller, state.requestId, signal, quoted);
    const outcome = await invoke(operation, context, invocation);
    setRateLimitHeaders(ctx, outcome.limits);
    if (!outcome.error) return { body: outcome.body!, quoted: outcome.quoted };
    const error = reportError(ctx, outcome.error);
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
