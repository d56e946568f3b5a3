/** OpenAI's Chat Completions API. */
import { functionViolations, type SentTool, strictViolations } from "../../mcp/provider-rules.js";
import { type Dialect, type Json, newId, sendEvents, sendJson } from "./dialect.js";

export const openAiChat: Dialect = {
  path: /\/chat\/completions$/,

  parse: ({ tools = [], messages = [] }) => ({
    tools: tools.map(({ function: tool }: Json) => ({
      name: tool.name,
      description: tool.description ?? "",
      violations: violationsOf(tool),
    })),
    results: messages.filter(({ role }: Json) => role === "tool").map(({ content }: Json) => content),
  }),

  answer({ stream, model }, answer, response) {
    const message =
      "text" in answer
        ? { role: "assistant", content: answer.text }
        : {
            role: "assistant",
            content: null,
            tool_calls: [
              {
                index: 0,
                id: answer.call.id,
                type: "function",
                function: { name: answer.call.name, arguments: JSON.stringify(answer.call.arguments) },
              },
            ],
          };
    const reason = "text" in answer ? "stop" : "tool_calls";
    const base = { id: newId("chatcmpl"), created: 1, model };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    if (!stream) {
      const choices = [{ index: 0, message, finish_reason: reason, logprobs: null }];
      sendJson(response, { ...base, object: "chat.completion", choices, usage });
      return;
    }
    const chunk = (delta: object, finish: string | null) => ({
      ...base,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    sendEvents(response, [chunk(message, null), { ...chunk({}, reason), usage }, "[DONE]"]);
  },
};

/** `strict` makes OpenAI apply its rules for structured outputs to a tool. */
export function violationsOf(tool: SentTool & { strict?: boolean | null }): string[] {
  return tool.strict ? strictViolations(tool) : functionViolations(tool);
}
