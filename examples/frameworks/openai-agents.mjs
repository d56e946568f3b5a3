/** An agent of the OpenAI Agents SDK. Set OPENAI_API_KEY. */
import { Agent, MCPServerStreamableHttp, Runner } from "@openai/agents-core";
import { OpenAIProvider } from "@openai/agents-openai";
import { answerWires, headers, instructions, url } from "./wireroom.mjs";

const wireroom = new MCPServerStreamableHttp({ name: "wireroom", url, requestInit: { headers } });
await wireroom.connect();
const agent = new Agent({ name: "Answerer", model: "gpt-5", instructions, mcpServers: [wireroom] });
const runner = new Runner({ modelProvider: new OpenAIProvider(), tracingDisabled: true });

await answerWires(async (question) => {
  const { finalOutput } = await runner.run(agent, question);
  return finalOutput;
});
