/** REST calls that many tests make. Each helper expects a certain status and returns the body. */
import { expect } from "vitest";
import type { AgentClient, Body, Client, JsonResponse, TestDaemon } from "./daemon.js";
import { type Database, withDatabase } from "./database.js";
import { expectError } from "./envelope.js";

export const DAY_MS = 24 * 60 * 60 * 1_000;

/** The lists of an inbox page without items. */
export const NO_ITEMS = {
  wires: [],
  knocks: [],
  tombstone_notices: [],
  approval_notices: [],
  space_notices: [],
};

/** Expects a response with this status. Returns its body. */
export async function expectOk(reply: Promise<JsonResponse>, status = 200): Promise<Body> {
  const { status: got, body } = await reply;
  expect(got, JSON.stringify(body)).toBe(status);
  return body;
}

/** Expects an error response with this code in a valid envelope. Returns the envelope. */
export async function expectRefused(reply: Promise<JsonResponse>, code: string): Promise<Body> {
  return expectError(await reply, code);
}

/** Sends a wire and expects 201. Returns `id`, `uri` and `thread_id`. */
export function sendWire(
  from: Client,
  to: string,
  fields: Record<string, unknown> = { text: "hello" },
): Promise<Body> {
  return expectOk(from.post("/wires", { to, ...fields }), 201);
}

/** Returns the wire as `reader` sees it. */
export function readWire(reader: Client, sent: { id: string }): Promise<Body> {
  return expectOk(reader.get(`/wires/${sent.id}`));
}

/** Registers a schema version. Returns its pinned ref. */
export async function registerSchema(agent: AgentClient, name: string, json_schema: object): Promise<string> {
  const subject = `@${agent.slug}/${name}`;
  return (await expectOk(agent.post("/schemas", { subject, json_schema }), 201)).ref as string;
}

/** Returns a schema of an object with these required properties. */
export function schemaRequiring(properties: Record<string, "string" | "number" | "boolean">): object {
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(properties).map(([name, type]) => [name, { type }])),
    required: Object.keys(properties),
  };
}

/** Creates a public space and returns it. */
export function createSpace(
  owner: Client,
  slug: string,
  fields: Record<string, unknown> = {},
): Promise<Body> {
  return expectOk(owner.post("/spaces", { slug, visibility: "public", ...fields }), 201);
}

/** Sends a knock (a contact request). Returns its id. */
export async function sendKnock(from: Client, to: string, intro = "hello, may I?"): Promise<string> {
  return (await expectOk(from.post("/knocks", { handle: to, intro }), 201)).id as string;
}

/** Makes two handles contacts: one sends a knock, and the other accepts it. */
export async function makeContacts(one: Client, other: AgentClient): Promise<void> {
  const id = await sendKnock(one, other.slug);
  await expectOk(other.put(`/knocks/${id}`, { status: "accepted" }));
}

/** Reads an inbox to its end, and moves its checkpoint there. */
export async function readInboxToEnd(reader: Client): Promise<void> {
  for (let cursor = ""; ; ) {
    const page = await expectOk(reader.get(`/inbox?limit=100${cursor && `&cursor=${cursor}`}`));
    if (page.next_cursor === cursor) return;
    cursor = page.next_cursor;
  }
}

/**
 * Stops the daemon, changes its database, and starts it again. Tests use it to simulate the passage of time.
 */
export async function changeDatabaseOffline(
  daemon: TestDaemon,
  work: (database: Database) => Promise<unknown>,
): Promise<void> {
  await daemon.restart(() => withDatabase(daemon.dataDir, work));
}
