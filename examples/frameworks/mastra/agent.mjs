/** An agent of Mastra. Set OPENAI_API_KEY. Mastra needs Node 22.13 or newer. */
import { Agent } from "@mastra/core/agent";
import { MCPClient } from "@mastra/mcp";
import { answerWires, headers, instructions, url } from "../wireroom.mjs";

const { OPENAI_BASE_URL = "https://api.openai.com/v1", OPENAI_API_KEY } = process.env;
const client = new MCPClient({ servers: { wireroom: { url: new URL(url), requestInit: { headers } } } });
const agent = new Agent({
  id: "answerer",
  name: "Answerer",
  instructions,
  model: { id: "openai/gpt-5", url: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY },
  tools: await client.listTools(),
});

await answerWires(async (question) => (await agent.generate(question)).text);
