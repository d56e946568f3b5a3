/**
 * The protocol of programs around a client library that knows no models. They send what the library gave
 * them, and do the call that they get.
 */
import { type Dialect, type Json, sendJson } from "./dialect.js";

export const plain: Dialect = {
  path: /^\/plain$/,
  parse: ({ tools, results }) => ({
    tools: tools.map(({ name, description }: Json) => ({ name, description, violations: [] })),
    results,
  }),
  answer: (_body, answer, response) => sendJson(response, "call" in answer ? { call: answer.call } : {}),
};
