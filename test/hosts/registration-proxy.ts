/**
 * Stands before a daemon, and hides that it supports client ID metadata documents. A client whose document
 * this machine cannot fetch then registers itself.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { type Json, sendJson } from "./model/dialect.js";

export interface RegistrationProxy {
  origin: string;
  /** Sets the origin of the daemon, which is known later than that of the proxy. */
  forwardTo(origin: string): void;
  close(): void;
}

export async function startRegistrationProxy(): Promise<RegistrationProxy> {
  let target = "";
  const server = createServer((incoming, response) => {
    const options = { method: incoming.method, headers: incoming.headers };
    const outgoing = request(new URL(incoming.url!, target), options, (answer) =>
      pass(incoming, answer, response),
    );
    outgoing.once("error", () => response.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwardTo(origin) {
      target = origin;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function pass({ url }: IncomingMessage, answer: IncomingMessage, response: ServerResponse) {
  const isMetadata = answer.statusCode === 200 && url!.includes("/.well-known/");
  if (!isMetadata) {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
    return;
  }
  const { client_id_metadata_document_supported: _hidden, ...metadata } = (await json(answer)) as Json;
  sendJson(response, metadata);
}
