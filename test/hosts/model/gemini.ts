/** The Gemini API. */
import { functionViolations, geminiViolations } from "../../mcp/provider-rules.js";
import { type Dialect, type Json, sendEvents, sendJson } from "./dialect.js";

export const gemini: Dialect = {
  path: /:(generateContent|streamGenerateContent|countTokens)$/,

  parse: ({ tools = [], contents = [] }) => ({
    tools: tools
      .flatMap(({ functionDeclarations = [] }: Json) => functionDeclarations)
      .map(({ name, description = "", parameters, parametersJsonSchema }: Json) => ({
        name,
        description,
        violations: parameters
          ? geminiViolations({ name, description, parameters })
          : functionViolations({ name, description, parameters: parametersJsonSchema }),
      })),
    results: contents
      .flatMap(({ parts = [] }: Json) => parts)
      .filter(({ functionResponse }: Json) => functionResponse)
      .map(({ functionResponse }: Json) => functionResponse.response),
  }),

  answer(_body, answer, response, path) {
    if (path.endsWith("countTokens")) return sendJson(response, { totalTokens: 1 });
    const part =
      "text" in answer
        ? { text: answer.text }
        : { functionCall: { name: answer.call.name, args: answer.call.arguments } };
    const body = {
      candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    };
    if (path.endsWith("streamGenerateContent")) sendEvents(response, [body]);
    else sendJson(response, body);
  },
};
