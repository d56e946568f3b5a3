/** Anthropic's Messages API. */
import { functionViolations } from "../../mcp/provider-rules.js";
import { type Dialect, type Json, type ModelAnswer, newId, sendEvents, sendJson } from "./dialect.js";

export const anthropic: Dialect = {
  path: /\/v1\/messages(\/count_tokens)?$/,

  parse: ({ tools = [], messages = [] }) => ({
    // Claude Code names them in a message to the model.
    deferred: [...new Set(JSON.stringify(messages).match(/mcp__wireroom__[a-z_]+|ListMcpResourcesTool/g))],
    tools: tools.map(({ name, description = "", input_schema }: Json) => ({
      name,
      description,
      violations: input_schema ? functionViolations({ name, description, parameters: input_schema }) : [],
    })),
    results: messages
      .flatMap(({ content }: Json) => (Array.isArray(content) ? content : []))
      .filter(({ type }: Json) => type === "tool_result")
      .map(({ content }: Json) => content),
  }),

  answer({ stream, model }, answer, response, path) {
    if (path.endsWith("/count_tokens")) return sendJson(response, { input_tokens: 1 });
    const block = blockOf(answer);
    const reason = "text" in answer ? "end_turn" : "tool_use";
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: newId("msg"), type: "message", role: "assistant", model, stop_sequence: null };
    if (!stream) return sendJson(response, { ...message, content: [block], stop_reason: reason, usage });
    const [empty, delta] =
      "text" in answer
        ? [
            { type: "text", text: "" },
            { type: "text_delta", text: answer.text },
          ]
        : [
            { ...block, input: {} },
            { type: "input_json_delta", partial_json: JSON.stringify(answer.call.arguments) },
          ];
    sendEvents(response, [
      { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
      { type: "content_block_start", index: 0, content_block: empty },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage },
      { type: "message_stop" },
    ]);
  },
};

function blockOf(answer: ModelAnswer) {
  if ("text" in answer) return { type: "text", text: answer.text };
  const { id, name, arguments: input } = answer.call;
  return { type: "tool_use", id: `toolu_${id}`, name, input };
}
