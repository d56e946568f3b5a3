/**
 * A local server that takes the place of the APIs of language models. What it answers follows a script, not
 * the request.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { anthropic } from "./anthropic.js";
import { type Dialect, type Json, type ModelAnswer, type SentRequest, sendJson } from "./dialect.js";
import { gemini } from "./gemini.js";
import { openAiChat } from "./openai-chat.js";
import { openAiResponses } from "./openai-responses.js";
import { plain } from "./plain.js";

const DIALECTS: readonly Dialect[] = [plain, openAiChat, openAiResponses, anthropic, gemini];

export interface ModelServer {
  url: string;
  /** Every request so far, for a reader who looks for the cause of a failure. */
  requests: { path: string; body: unknown }[];
  close(): void;
}

export interface ModelHandlers {
  /** Decides what the model answers. */
  next(request: SentRequest): Promise<ModelAnswer>;
  /**
   * Plays the human at a page to which a client sends a browser. Returns the URL of the client that the
   * browser reaches.
   */
  authorize(url: string): Promise<string>;
}

export async function startModelServer({ next, authorize }: ModelHandlers): Promise<ModelServer> {
  const requests: ModelServer["requests"] = [];
  const server = createServer(async (request, response) => {
    const path = request.url!.split("?")[0]!;
    try {
      const body: Json = request.method === "POST" ? await json(request) : {};
      requests.push({ path: `${request.method} ${request.url}`, body });
      if (path === "/human") return sendJson(response, { url: await authorize(body.url) });
      const dialect = DIALECTS.find((each) => each.path.test(path));
      if (!dialect) return sendJson(response, { error: { message: `no such path: ${path}` } }, 404);
      dialect.answer(
        body,
        await next({ ...dialect.parse(body), text: JSON.stringify(body) }),
        response,
        path,
      );
    } catch (error) {
      sendJson(response, { error: { message: String(error) } }, 400);
    }
  });
  // A client may be busy for longer than the default of 5 seconds between two requests.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
