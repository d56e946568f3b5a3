/** LangChain's adapters with its agent. */
import { ChatAnthropic } from "@langchain/anthropic";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { createAgent } from "langchain";
import { connectWith, countOf, headers, MAX_TURNS, PROMPT, report, settings } from "./common.mjs";
import { finishLegacy } from "./legacy.mjs";

const client = await connectWith(async (authProvider) => {
  const adapter = new MultiServerMCPClient({
    mcpServers: { wireroom: { url: settings.mcpUrl, headers, authProvider } },
  });
  await adapter.initializeConnections();
  return adapter;
}, finishLegacy);
const model = new ChatAnthropic({
  model: "claude-sonnet-4-5",
  anthropicApiUrl: settings.modelUrl,
  apiKey: "none",
  maxRetries: 0,
});
const agent = createAgent({ model, tools: await client.getTools() });
await agent.invoke({ messages: [{ role: "user", content: PROMPT }] }, { recursionLimit: 2 * MAX_TURNS });
report({
  resources: await countOf(async () => (await client.listResources()).wireroom),
  templates: await countOf(async () => (await client.listResourceTemplates()).wireroom),
});
await client.close();
