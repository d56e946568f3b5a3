/** Mastra's client and agent. */
import { Agent } from "@mastra/core/agent";
import { MCPClient } from "@mastra/mcp";
import { auth } from "@modelcontextprotocol/client";
import { connectWith, countOf, headers, MAX_TURNS, PROMPT, report, settings } from "./common.mjs";

const client = await connectWith(
  async (authProvider) => {
    const mcp = new MCPClient({
      servers: { wireroom: { url: new URL(settings.mcpUrl), requestInit: { headers }, authProvider } },
    });
    const { errors } = await mcp.listToolsetsWithErrors();
    if (errors.wireroom) {
      await mcp.disconnect();
      throw new Error(errors.wireroom);
    }
    return mcp;
  },
  (provider, parameters) =>
    auth(provider, {
      serverUrl: settings.mcpUrl,
      authorizationCode: parameters.get("code"),
      iss: parameters.get("iss") ?? undefined,
    }),
);
const agent = new Agent({
  id: "test",
  name: "Test",
  instructions: "Use the tools.",
  model: { id: "custom/gpt-5", url: `${settings.modelUrl}/v1`, apiKey: "none" },
  tools: await client.listTools(),
});
await agent.generate(PROMPT, { maxSteps: MAX_TURNS });
report({
  resources: await countOf(async () => (await client.resources.list()).wireroom),
  templates: await countOf(async () => (await client.resources.templates()).wireroom),
  prompts: await countOf(async () => (await client.prompts.list()).wireroom),
});
await client.disconnect();
