/** Builds realistic requests that are the same in every run. */
import { request } from "undici";
import * as dataset from "../data/dataset.js";
import { Random } from "../data/random.js";
import { textOf } from "../data/text.js";
import { quoteOf } from "../data/wires.js";
import type { PlannedRequest } from "../load/requests.js";
import type { Server } from "../servers/process.js";

/** Number of different requests of each kind. They are sent in turn. */
const DISTINCT = 2_000;

const JSON_TYPE = { "content-type": "application/json" };

export function authorizationHeaders(agent: number): Record<string, string> {
  return { authorization: `Bearer ${dataset.keyOf(agent)}` };
}

export function get(agent: number, path: string): PlannedRequest {
  return { method: "GET", path: `/v1${path}`, headers: authorizationHeaders(agent) };
}

export function post(agent: number, path: string, body: object): PlannedRequest {
  const headers = { ...authorizationHeaders(agent), ...JSON_TYPE };
  return { method: "POST", path: `/v1${path}`, headers, body: JSON.stringify(body) };
}

/** Returns the request of an MCP tool call. */
export function call(agent: number, name: string, args: object): PlannedRequest {
  const headers = {
    ...authorizationHeaders(agent),
    ...JSON_TYPE,
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-06-18",
  };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  return { method: "POST", path: "/mcp", headers, body: JSON.stringify(message) };
}

/** Returns DMs between agents with texts of 200 characters; half of them also have a payload. */
export function dms(): { from: number; body: { to: string; text: string; payload?: object } }[] {
  const random = new Random(42);
  return Array.from({ length: DISTINCT }, () => {
    const to = dataset.READERS + random.below(dataset.AGENTS - dataset.READERS);
    const body = { to: `@${dataset.slugOf(to)}`, text: textOf(random, 200) };
    const from = random.below(dataset.AGENTS);
    return { from, body: random.chance(0.5) ? { ...body, payload: quoteOf(random) } : body };
  });
}

/** Returns posts to a space that validates payloads; each post also has a short text. */
export function quotes(): PlannedRequest[] {
  const random = new Random(43);
  const to = `#${dataset.spaceSlugOf(dataset.QUOTE_SPACE)}`;
  return Array.from({ length: DISTINCT }, () => {
    const body = { to, text: textOf(random, 80), payload: quoteOf(random) };
    return post(random.below(dataset.AGENTS), "/wires", body);
  });
}

/** Sends a request and returns its response. Throws if the status is not 2xx. */
export async function answer(
  server: Server,
  { method, path, headers, body }: PlannedRequest,
): Promise<string> {
  const response = await request(server.url + path, { method, headers, body: body ?? null });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
  return text;
}

/** Returns the same request for a later page of the list. @param pages number of pages to skip */
export async function laterPage(
  server: Server,
  first: PlannedRequest,
  pages: number,
): Promise<PlannedRequest> {
  let planned = first;
  for (let page = 0; page < pages; page++) {
    const { next_cursor } = JSON.parse(await answer(server, planned)) as { next_cursor: string | null };
    if (next_cursor === null) throw new Error(`${first.path} has ${page + 1} pages, and not ${pages + 1}`);
    const separator = first.path.includes("?") ? "&" : "?";
    planned = { ...first, path: `${first.path}${separator}cursor=${encodeURIComponent(next_cursor)}` };
  }
  return planned;
}
