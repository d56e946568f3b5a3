/** Generates the MCP tools from the contract (docs/specification/agent-operations.md#mcp-tools). */
import { operations } from "../contract/index.js";
import type { Operation } from "../contract/operation.js";
import type { MergedTool, Tool, ToolHints } from "../contract/tool.js";
import { type InputSchema, inputSchema, type ToolArguments, toolArguments } from "./mcp/input-schema.js";
import { UNTRUSTED_CONTENT_IN_RESULT } from "./mcp/instructions.js";
import { type OutputSchema, outputSchema } from "./mcp/output-schema.js";

export { INSTRUCTIONS, UNTRUSTED_CONTENT_NOTICE } from "./mcp/instructions.js";

export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: InputSchema;
  outputSchema: OutputSchema;
  annotations: Annotations;
}

/** MCP tool annotations. Read-only tools omit `destructiveHint` and `idempotentHint`. */
interface Annotations {
  readOnlyHint: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint: boolean;
}

export interface McpTool {
  definition: ToolDefinition;
  tool: Tool;
  /** The tool's own operation. */
  operation: Operation;
  /**
   * Further operations that the tool can call, and the arguments that select them; the first match counts.
   */
  merged: readonly { operation: Operation; as: MergedTool }[];
  arguments: ToolArguments;
}

export const mcpTools: readonly McpTool[] = operations.flatMap((operation) =>
  operation.tool && "name" in operation.tool ? [mcpTool(operation, operation.tool)] : [],
);

export const toolDefinitions: readonly ToolDefinition[] = mcpTools.map(({ definition }) => definition);

function mcpTool(operation: Operation, tool: Tool): McpTool {
  const merged = mergedInto(tool.name);
  const done = [operation, ...merged.map((other) => other.operation)];
  const args = toolArguments(tool, done);
  return {
    definition: {
      name: tool.name,
      title: tool.title,
      description: descriptionOf(tool),
      inputSchema: inputSchema(tool, args),
      outputSchema: outputSchema(done.map(({ output }) => output)),
      annotations: annotations(hintsOf(operation, tool)),
    },
    tool,
    operation,
    merged,
    arguments: args,
  };
}

/**
 * Adds the notice about untrusted content to the tool's description. The notice in a result's text is not
 * enough, because many hosts pass only the result's structured content to the model.
 */
function descriptionOf({ description, returnsUntrustedContent }: Tool): string {
  return returnsUntrustedContent ? `${description} ${UNTRUSTED_CONTENT_IN_RESULT}` : description;
}

function mergedInto(name: string): McpTool["merged"] {
  return operations.flatMap((operation) => {
    const { tool } = operation;
    return tool && "into" in tool && tool.into === name ? [{ operation, as: tool }] : [];
  });
}

function hintsOf({ method }: Operation, { returnsUntrustedContent, hints }: Tool): ToolHints {
  return {
    readOnly: method === "GET",
    destructive: method === "DELETE",
    idempotent: method !== "POST",
    openWorld: returnsUntrustedContent !== false,
    ...hints,
  };
}

function annotations({ readOnly, destructive, idempotent, openWorld }: ToolHints): Annotations {
  const ofChanges = { destructiveHint: destructive, idempotentHint: idempotent };
  return { readOnlyHint: readOnly, ...(!readOnly && ofChanges), openWorldHint: openWorld };
}
