/** The MCP tools, made from the contract (decisions, section 8). */
import { operations } from "../contract/index.js";
import type { Operation } from "../contract/operation.js";
import type { FoldedTool, Tool, ToolHints } from "../contract/tool.js";
import { type InputSchema, inputSchema } from "./mcp/input-schema.js";
import { type OutputSchema, outputSchema } from "./mcp/output-schema.js";

export { INSTRUCTIONS, OTHERS_WORDS } from "./mcp/instructions.js";

/** One entry of `tools/list`. */
export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: InputSchema;
  outputSchema: OutputSchema;
  annotations: Annotations;
}

/** Whether it destroys or may be repeated means nothing of a tool that only reads. */
interface Annotations {
  readOnlyHint: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint: boolean;
}

export interface McpTool {
  definition: ToolDefinition;
  tool: Tool;
  /** The operation that it mirrors. */
  operation: Operation;
  /** The operation that it does too, and what chooses that one. */
  folded?: { operation: Operation; as: FoldedTool };
}

/** Every tool, in the order of the contract. */
export const mcpTools: readonly McpTool[] = operations.flatMap((operation) =>
  operation.tool && "name" in operation.tool ? [mcpTool(operation, operation.tool)] : [],
);

/** The result of `tools/list`. */
export const toolDefinitions: readonly ToolDefinition[] = mcpTools.map(({ definition }) => definition);

function mcpTool(operation: Operation, tool: Tool): McpTool {
  const folded = foldedInto(tool.name);
  const done = folded ? [operation, folded.operation] : [operation];
  return {
    definition: {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: inputSchema(tool, done),
      outputSchema: outputSchema(done.map(({ output }) => output)),
      annotations: annotations(hintsOf(operation, tool)),
    },
    tool,
    operation,
    ...(folded && { folded }),
  };
}

function foldedInto(name: string): McpTool["folded"] {
  for (const operation of operations) {
    const { tool } = operation;
    if (tool && "into" in tool && tool.into === name) return { operation, as: tool };
  }
  return undefined;
}

function hintsOf({ method }: Operation, { carriesOthersWords, hints }: Tool): ToolHints {
  return {
    readOnly: method === "GET",
    destructive: method === "DELETE",
    idempotent: method !== "POST",
    openWorld: carriesOthersWords,
    ...hints,
  };
}

function annotations({ readOnly, destructive, idempotent, openWorld }: ToolHints): Annotations {
  const ofChanges = { destructiveHint: destructive, idempotentHint: idempotent };
  return { readOnlyHint: readOnly, ...(!readOnly && ofChanges), openWorldHint: openWorld };
}
