import { type McpTool, mcpTools } from "../../src/generate/mcp.js";

const tools = new Map(mcpTools.map((tool) => [tool.definition.name, tool]));

export function toolNamed(name: string): McpTool | undefined {
  return tools.get(name);
}
