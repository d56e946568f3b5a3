/** The daemon's catalog of tools, resources and prompts. They call operations as REST does. */
import { invalid, type WireroomError } from "../../src/contract/errors.js";
import { mcpPrompts, promptDefinitions } from "../../src/generate/mcp/prompts.js";
import { resourceTemplates } from "../../src/generate/mcp/resources.js";
import { INSTRUCTIONS, type McpTool, toolDefinitions } from "../../src/generate/mcp.js";
import { type JsonText, jsonToString } from "../../src/kernel/raw-json.js";
import type { Arguments } from "./arguments.js";
import type { Catalog } from "./catalog.js";
import { complete } from "./completion.js";
import type { McpExchange } from "./exchange.js";
import { listResources, readResource } from "./resources.js";
import { INVALID_PARAMS, RpcError } from "./rpc-error.js";
import { toolByName, toToolCall } from "./tool-call.js";
import { errorResult, successResult, successResultJson } from "./tool-result.js";

export const contractCatalog: Catalog = {
  instructions: INSTRUCTIONS,
  tools: toolDefinitions,
  resourceTemplates,
  prompts: promptDefinitions,
  listResources,
  readResource,
  complete,

  async callTool(name, args, exchange) {
    const tool = toolByName(name);
    if (!tool) throw unknown("tool", name, "tools/list");
    const output = await runTool(tool, args, exchange);
    return "body" in output
      ? successResult(tool, jsonToString(output.body), exchange.placeholders)
      : errorResult(output.error);
  },

  async getPrompt(name, args, exchange) {
    const prompt = mcpPrompts.find(({ definition }) => definition.name === name);
    if (!prompt) throw unknown("prompt", name, "prompts/list");
    exchange.nameOperation(`prompt.${name}`);
    const text = prompt.text(args);
    const { description } = prompt.definition;
    return { description, messages: [{ role: "user", content: { type: "text", text } }] };
  },

  runPlainCall({ name, arguments: args }, exchange) {
    const tool = toolByName(name);
    return tool && runPlainTool(tool, args, exchange);
  },
};

async function runPlainTool(tool: McpTool, args: unknown, exchange: McpExchange): Promise<JsonText[]> {
  const output = await runTool(tool, args, exchange);
  return "body" in output
    ? successResultJson(tool, output.body)
    : [JSON.stringify(errorResult(output.error))];
}

function runTool(tool: McpTool, args: unknown = {}, exchange: McpExchange) {
  const call = toToolCall(tool, argumentsOf(args));
  // The result contains the body twice.
  return exchange.run(call.operation, call, { name: tool.definition.name, copies: 2 });
}

/** `parseMessage` may have replaced the arguments with an error. */
function argumentsOf(args: unknown): Arguments | WireroomError {
  if (args !== null && typeof args === "object" && !Array.isArray(args)) return args as Arguments;
  return invalid({ instancePath: "", keyword: "type", message: "the arguments must be a JSON object" });
}

function unknown(kind: string, name: string, method: string): RpcError {
  return new RpcError(INVALID_PARAMS, `Unknown ${kind}: ${name.slice(0, 100)}; ${method} lists the ${kind}s`);
}
