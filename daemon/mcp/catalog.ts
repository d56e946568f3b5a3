/** The interface of what an MCP server offers: the contract, or the conformance suite's test fixtures. */
import type { JsonText } from "../../src/kernel/raw-json.js";
import type { McpExchange } from "./exchange.js";
import type { PlainCall } from "./message.js";

export type Result = Record<string, unknown>;

/** Fields `ref` and `argument` of a `completion/complete` request. */
export interface CompletionRequest {
  ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string };
  argument: { name: string; value: string };
}

export interface Completion {
  /** The values, best first. */
  values: string[];
  /** Whether there are more values. */
  hasMore: boolean;
}

/** Methods throw `RpcError` if the entry does not exist or its arguments are invalid. */
export interface Catalog {
  /** Text that describes the server to the language model. */
  instructions: string;
  tools: readonly object[];
  resourceTemplates: readonly object[];
  prompts: readonly object[];
  /** Returns a page of the caller's resources, with `nextCursor` unless the page is the last one. */
  listResources(cursor: string | undefined, exchange: McpExchange): Promise<Result>;
  callTool(name: string, args: unknown, exchange: McpExchange): Promise<Result>;
  /** Returns the field `contents` of the result. */
  readResource(uri: string, exchange: McpExchange): Promise<Result[]>;
  getPrompt(name: string, args: Readonly<Record<string, string>>, exchange: McpExchange): Promise<Result>;
  complete(request: CompletionRequest, exchange: McpExchange): Promise<Completion>;
  /** Returns a plain call's result as JSON parts, or undefined if `callTool` must handle the call. */
  runPlainCall?(call: PlainCall, exchange: McpExchange): Promise<JsonText[]> | undefined;
}
