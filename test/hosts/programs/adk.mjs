/** Google's Agent Development Kit. */
import { Gemini, InMemoryRunner, LlmAgent } from "@google/adk";
import { MCPToolset } from "@google/adk/tools/mcp";
import { connectWith, countOf, headers, PROMPT, report, settings } from "./common.mjs";
import { finishLegacy } from "./legacy.mjs";

const toolset = await connectWith(async (authProvider) => {
  const tools = new MCPToolset({
    type: "StreamableHTTPConnectionParams",
    url: settings.mcpUrl,
    transportOptions: { requestInit: { headers }, authProvider },
  });
  await tools.getTools();
  return tools;
}, finishLegacy);
// Read when the first request is sent.
process.env.GOOGLE_GEMINI_BASE_URL = settings.modelUrl;
const agent = new LlmAgent({
  name: "test",
  model: new Gemini({ model: "gemini-2.5-pro", apiKey: "none" }),
  instruction: "Use the tools.",
  tools: [toolset],
});
const runner = new InMemoryRunner({ agent });
const session = await runner.sessionService.createSession({ appName: runner.appName, userId: "ada" });
const newMessage = { role: "user", parts: [{ text: PROMPT }] };
for await (const event of runner.runAsync({ userId: "ada", sessionId: session.id, newMessage })) {
  if (event.errorCode) throw new Error(`${event.errorCode}: ${event.errorMessage}`);
}
report({ resources: await countOf(() => toolset.listResources()) });
await toolset.close();
