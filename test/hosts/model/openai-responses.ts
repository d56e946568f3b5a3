/** OpenAI's Responses API. */
import { type Dialect, type Json, type ModelTool, newId, sendEvents, sendJson } from "./dialect.js";

import { violationsOf } from "./openai-chat.js";

/** Separates the name of a namespace, which groups the tools of a server, from the name of a tool. */
const IN_NAMESPACE = "\u0000";

export const openAiResponses: Dialect = {
  path: /\/responses$/,

  parse: ({ tools = [], input = [] }) => ({
    tools: tools.flatMap(toolsOf),
    results: (Array.isArray(input) ? input : [])
      .filter(({ type }: Json) => type === "function_call_output")
      .map(({ output }: Json) => output),
  }),

  answer({ stream, model }, answer, response) {
    const item = "text" in answer ? messageItem(answer.text) : callItem(answer.call);
    const done = {
      id: newId("resp"),
      object: "response",
      created_at: 1,
      model,
      status: "completed",
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: {},
      parallel_tool_calls: false,
      temperature: 1,
      tool_choice: "auto",
      tools: [],
      top_p: 1,
      output: [item],
      usage: {
        input_tokens: 1,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 1,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 2,
      },
    };
    if (!stream) return sendJson(response, done);
    const events = [
      { type: "response.created", response: { ...done, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: done },
    ];
    sendEvents(
      response,
      events.map((event, n) => ({ ...event, sequence_number: n })),
    );
  },
};

function toolsOf({ type, name, description = "", tools = [], ...rest }: Json): ModelTool[] {
  if (type === "function")
    return [{ name, description, violations: violationsOf({ name, description, ...rest }) }];
  if (type !== "namespace") return [];
  return tools.flatMap(toolsOf).map((tool: ModelTool) => ({
    ...tool,
    name: `${name}${IN_NAMESPACE}${tool.name}`,
  }));
}

function callItem(call: { id: string; name: string; arguments: object }) {
  const [namespace, name] = call.name.includes(IN_NAMESPACE)
    ? call.name.split(IN_NAMESPACE)
    : [undefined, call.name];
  return {
    type: "function_call",
    id: `fc_${call.id}`,
    call_id: call.id,
    name,
    ...(namespace !== undefined && { namespace }),
    arguments: JSON.stringify(call.arguments),
    status: "completed",
  };
}

function messageItem(text: string) {
  return {
    type: "message",
    id: newId("msg"),
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [] }],
  };
}
