/** Handles the MCP messages of one HTTP request, for all protocol revisions. */
import type { Context as KoaContext } from "koa";
import { invalid, type WireroomError } from "../../src/contract/errors.js";
import { type McpTool, toolDefinitions } from "../../src/generate/mcp.js";
import { concatJson, type JsonText, jsonToString } from "../../src/kernel/raw-json.js";
import type { Agent, Service } from "../../src/service/pipeline/context.js";
import { contextOf, invoke } from "../../src/service/pipeline/invoke.js";
import {
  countWaitingBytes,
  createAbortSignal,
  logAndConvertError,
  setRateLimitHeaders,
  stateOf,
} from "../http/koa-context.js";
import type { PlainCall } from "./plain-call.js";
import { type Arguments, toolByName, toToolCall } from "./tool-call.js";
import {
  errorResult,
  Placeholders,
  successResult,
  successResultJson,
  type ToolOutput,
  type ToolResult,
} from "./tool-result.js";

/** Result of `tools/list`. Clients may cache it, because it is the same for all callers (protocol revision 2026-07-28). */
const TOOL_LIST = { tools: toolDefinitions, ttlMs: 3_600_000, cacheScope: "public" };

export interface RpcRequest {
  method: string;
  params?: { [name: string]: unknown } | undefined;
}

/** A protocol error with its JSON-RPC code. */
class RpcError extends Error {
  constructor(
    readonly code: -32_601 | -32_602,
    message: string,
  ) {
    super(message);
  }
}

export class McpExchange {
  private readonly placeholders: Placeholders;

  /** @param argumentsError error in the arguments of a tool call, if there is one */
  constructor(
    private readonly ctx: KoaContext,
    private readonly service: Service,
    private readonly caller: Agent,
    private readonly argumentsError: WireroomError | undefined,
  ) {
    this.placeholders = new Placeholders(stateOf(ctx).requestId);
  }

  /** Returns the response with JSON in place of the placeholders. Called after an SDK has serialised the response. */
  fillPlaceholders(response: string): string {
    return this.placeholders.fill(response);
  }

  /** Handles one request that an SDK has received. Throws `RpcError`. */
  async handle({ method, params = {} }: RpcRequest): Promise<Record<string, unknown>> {
    if (method === "tools/list") return list(params);
    if (method === "tools/call") return this.call(toolOf(params), params.arguments);
    throw new RpcError(-32_601, "Method not found");
  }

  /** Returns the complete response to a plain call, without an SDK. */
  async handlePlainCall({ id, tool, arguments: args }: PlainCall): Promise<JsonText> {
    const output = await this.run(tool, args, true);
    const result =
      "body" in output ? successResultJson(tool, output) : [JSON.stringify(errorResult(output.error))];
    return concatJson(['{"result":', ...result, `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`]);
  }

  private async call(tool: McpTool, args: unknown): Promise<ToolResult> {
    const output = await this.run(tool, args, false);
    return "body" in output
      ? successResult(tool, jsonToString(output.body), this.placeholders)
      : errorResult(output.error);
  }

  private async run(
    tool: McpTool,
    args: unknown = {},
    quoted: boolean,
  ): Promise<ToolOutput | { error: WireroomError }> {
    const { ctx, service, caller } = this;
    const state = stateOf(ctx);
    state.operation = `mcp.${tool.definition.name}`;
    const { operation, ...invocation } = toToolCall(tool, this.argumentsError ?? argumentsOf(args));
    const signal = createAbortSignal(ctx, "wait" in invocation.input, service);
    const context = contextOf(service, caller, state.requestId, signal, quoted);
    const outcome = await invoke(operation, context, invocation);
    setRateLimitHeaders(ctx, outcome.limits);
    try {
      if (outcome.error) throw outcome.error;
      const body = outcome.body!;
      // A result contains the body twice.
      countWaitingBytes(ctx, operation, caller, 2 * body.length);
      return { body, quoted: outcome.quoted };
    } catch (thrown) {
      const error = logAndConvertError(ctx, thrown);
      state.status = error.status;
      return { error };
    }
  }
}

function list({ cursor }: { cursor?: unknown }) {
  if (cursor === undefined) return TOOL_LIST;
  throw new RpcError(-32_602, "the list of tools has one page; leave out the cursor");
}

function toolOf({ name }: { name?: unknown }): McpTool {
  if (typeof name !== "string") throw new RpcError(-32_602, "params.name must be the name of a tool");
  const tool = toolByName(name);
  if (tool) return tool;
  throw new RpcError(-32_602, `Unknown tool: ${name.slice(0, 100)}; tools/list lists the tools`);
}

function argumentsOf(args: unknown): Arguments | WireroomError {
  if (args !== null && typeof args === "object" && !Array.isArray(args)) return args as Arguments;
  return invalid({ instancePath: "", keyword: "type", message: "the arguments must be a JSON object" });
}
