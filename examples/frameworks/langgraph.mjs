/** An agent of LangGraph: the model and its tools in turns. Set GOOGLE_API_KEY. */
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { answerWires, headers, instructions, url } from "./wireroom.mjs";

const client = new MultiServerMCPClient({ wireroom: { transport: "http", url, headers } });
const tools = await client.getTools();
const model = new ChatGoogleGenerativeAI({ model: "gemini-2.5-flash", baseUrl: process.env.GOOGLE_BASE_URL });
const modelWithTools = model.bindTools(tools);

const graph = new StateGraph(MessagesAnnotation)
  .addNode("model", async ({ messages }) => ({ messages: [await modelWithTools.invoke(messages)] }))
  .addNode("tools", new ToolNode(tools))
  .addEdge(START, "model")
  .addConditionalEdges("model", toolsCondition, ["tools", END])
  .addEdge("tools", "model")
  .compile();

await answerWires(async (question) => {
  const { messages } = await graph.invoke({
    messages: [
      { role: "system", content: instructions },
      { role: "user", content: question },
    ],
  });
  return messages.at(-1).text;
});
