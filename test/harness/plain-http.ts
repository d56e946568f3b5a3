/** Requests whose target and headers are sent as they are: `fetch` would normalize what a test wants to be odd. */
import { Agent, request } from "node:http";
import type { WireRequest } from "./arbitrary-input.js";

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

export interface PlainReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export function send(origin: string, { method, path, headers, body }: WireRequest): Promise<PlainReply> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const length = body !== undefined && { "content-length": String(Buffer.byteLength(body)) };
    const options = { agent, hostname, port, method, path, headers: { ...headers, ...length } };
    const outgoing = request(options, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk: string) => {
        text += chunk;
      });
      incoming.on("end", () => resolve({ status: incoming.statusCode!, headers: incoming.headers, text }));
      incoming.on("error", reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
