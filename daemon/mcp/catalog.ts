/**
 * The interface to an MCP server's tools, resources and prompts. The contract and the conformance suite's
 * test fixtures implement it.
 */
import type { JsonText } from "../../src/kernel/raw-json.js";
import type { McpExchange } from "./exchange.js";
import type { PlainCall } from "./message.js";

export type Result = Record<string, unknown>;

export interface CompletionRequest {
  ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string };
  argument: { name: string; value: string };
}

export interface Completion {
  /** The values in order of relevance. */
  values: string[];
  hasMore: boolean;
}

/**
 * An MCP server's tools, resources and prompts. Methods throw `RpcError` if an entry does not exist or its
 * arguments are invalid.
 */
export interface Catalog {
  /** Text that describes the server to the language model. */
  instructions: string;
  tools: readonly object[];
  resourceTemplates: readonly object[];
  prompts: readonly object[];
  /** The last page of the caller's resources has no `nextCursor`. */
  listResources(cursor: string | undefined, exchange: McpExchange): Promise<Result>;
  callTool(name: string, args: unknown, exchange: McpExchange): Promise<Result>;
  readResource(uri: string, exchange: McpExchange): Promise<Result[]>;
  getPrompt(name: string, args: Readonly<Record<string, string>>, exchange: McpExchange): Promise<Result>;
  complete(request: CompletionRequest, exchange: McpExchange): Promise<Completion>;
  /** Returns the result as JSON parts, or undefined if `callTool` must handle the call. */
  runPlainCall?(call: PlainCall, exchange: McpExchange): Promise<JsonText[]> | undefined;
}
