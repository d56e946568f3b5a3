/** Sends requests with unchanged target and headers, which `fetch` would normalise. */
import { Agent, request } from "node:http";
import type { WireRequest } from "./arbitrary-input.js";

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

export interface PlainResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export function sendUnnormalized(
  origin: string,
  { method, path, headers, body }: WireRequest,
): Promise<PlainResponse> {
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
