/** The OpenAI Agents SDK. STRUCTURED makes it pass `structuredContent` to the model. */
import { Agent, MCPServerStreamableHttp, OpenAIProvider, Runner, setTracingDisabled } from "@openai/agents";
import { connectWith, countOf, headers, MAX_TURNS, PROMPT, report, settings } from "./common.mjs";
import { finishLegacy } from "./legacy.mjs";

setTracingDisabled(true);
const server = await connectWith(async (authProvider) => {
  const connection = new MCPServerStreamableHttp({
    url: settings.mcpUrl,
    name: "wireroom",
    requestInit: { headers },
    useStructuredContent: process.env.STRUCTURED === "yes",
    authProvider,
  });
  await connection.connect();
  return connection;
}, finishLegacy);
const agent = new Agent({ name: "Test", model: "gpt-5", mcpServers: [server] });
const modelProvider = new OpenAIProvider({ baseURL: `${settings.modelUrl}/v1`, apiKey: "none" });
await new Runner({ modelProvider }).run(agent, PROMPT, { maxTurns: MAX_TURNS });
report({
  resources: await countOf(async () => (await server.listResources()).resources),
  templates: await countOf(async () => (await server.listResourceTemplates()).resourceTemplates),
});
await server.close();
