/** An API of a language model, as far as an agent with tools uses it. */
import type { ServerResponse } from "node:http";

/** A tool as the model sees it. */
export interface ModelTool {
  name: string;
  description: string;
  /** The rules of the provider that the tool breaks. A provider rejects a request with such a tool. */
  violations: string[];
}

/** What an agent sends to the model. */
export interface ModelRequest {
  tools: ModelTool[];
  /** Names of tools of Wireroom that the model must load by a search before it can call them. */
  deferred?: string[];
  /** The results of the calls so far, oldest first, in the form in which they reach the model. */
  results: unknown[];
}

/** A request with its JSON. */
export interface SentRequest extends ModelRequest {
  text: string;
}

export interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}

/** What the model answers: one call of a tool, or a text. */
export type ModelAnswer = { call: ToolCall } | { text: string };

// biome-ignore lint/suspicious/noExplicitAny: the bodies of foreign APIs
export type Json = any;

export interface Dialect {
  /** Matches the paths of the requests that this dialect answers. */
  path: RegExp;
  parse(body: Json): ModelRequest;
  answer(body: Json, answer: ModelAnswer, response: ServerResponse, path: string): void;
}

let lastId = 0;

/** Returns an unused id. Frameworks merge messages with the same id. */
export function newId(prefix: string): string {
  return `${prefix}_${++lastId}`;
}

/** Sends a JSON body. */
export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Sends server-sent events. An event that has a `type` is also named so. */
export function sendEvents(response: ServerResponse, events: readonly Json[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) {
    const name = typeof event?.type === "string" ? `event: ${event.type}\n` : "";
    response.write(`${name}data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
}
