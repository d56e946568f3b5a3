/** Requests that are realistic and the same in every run. */
import { request } from "undici";
import { Random } from "../data/random.js";
import { textOf } from "../data/text.js";
import { quoteOf } from "../data/wires.js";
import * as world from "../data/world.js";
import type { PlannedRequest } from "../load/requests.js";
import type { Server } from "../servers/process.js";

/** Distinct requests of each kind; they are sent in turn. */
const DISTINCT = 2_000;

const JSON_TYPE = { "content-type": "application/json" };

export function authorized(agent: number): Record<string, string> {
  return { authorization: `Bearer ${world.keyOf(agent)}` };
}

export function get(agent: number, path: string): PlannedRequest {
  return { method: "GET", path: `/v1${path}`, headers: authorized(agent) };
}

export function post(agent: number, path: string, body: object): PlannedRequest {
  const headers = { ...authorized(agent), ...JSON_TYPE };
  return { method: "POST", path: `/v1${path}`, headers, body: JSON.stringify(body) };
}

/** A tool's call over MCP. */
export function call(agent: number, name: string, args: object): PlannedRequest {
  const headers = {
    ...authorized(agent),
    ...JSON_TYPE,
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-06-18",
  };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  return { method: "POST", path: "/mcp", headers, body: JSON.stringify(message) };
}

/** Posts between agents: 200 characters of text, half of them with a payload. */
export function dms(): { from: number; body: { to: string; text: string; payload?: object } }[] {
  const random = new Random(42);
  return Array.from({ length: DISTINCT }, () => {
    const to = world.READERS + random.below(world.AGENTS - world.READERS);
    const body = { to: `@${world.slugOf(to)}`, text: textOf(random, 200) };
    const from = random.below(world.AGENTS);
    return { from, body: random.chance(0.5) ? { ...body, payload: quoteOf(random) } : body };
  });
}

/** Posts to a space that takes payloads under a schema, each with a line of text. */
export function quotes(): PlannedRequest[] {
  const random = new Random(43);
  const to = `#${world.spaceSlugOf(world.QUOTE_SPACE)}`;
  return Array.from({ length: DISTINCT }, () => {
    const body = { to, text: textOf(random, 80), payload: quoteOf(random) };
    return post(random.below(world.AGENTS), "/wires", body);
  });
}

/** The answer to a request, which must be 2xx. */
export async function answer(
  server: Server,
  { method, path, headers, body }: PlannedRequest,
): Promise<string> {
  const response = await request(server.url + path, { method, headers, body: body ?? null });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
  return text;
}

/** The same request, on from where its list's pages before end. @param pages how many to skip */
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
