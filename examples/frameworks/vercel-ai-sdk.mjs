/** An agent of the Vercel AI SDK. Set OPENAI_API_KEY. */
import { createMCPClient } from "@ai-sdk/mcp";
import { openai } from "@ai-sdk/openai";
import { generateText, stepCountIs } from "ai";
import { answerWires, headers, instructions, url } from "./wireroom.mjs";

const client = await createMCPClient({ transport: { type: "http", url, headers } });
const tools = await client.tools();

await answerWires(async (question) => {
  const { text } = await generateText({
    model: openai("gpt-5"),
    system: instructions,
    prompt: question,
    tools,
    stopWhen: stepCountIs(10),
  });
  return text;
});
