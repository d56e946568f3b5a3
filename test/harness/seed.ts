/** Fills every table of a service and takes a snapshot of its responses, for tests that copy the data. */
import { expect } from "vitest";
import {
  createSpace,
  expectOk,
  makeContacts,
  readInboxToEnd,
  registerSchema,
  schemaRequiring,
  sendKnock,
  sendWire,
} from "./api-helpers.js";
import {
  type AgentClient,
  type Body,
  type Client,
  EMBEDDED_IDENTITY,
  startDaemon,
  type TestDaemon,
} from "./daemon.js";
import { decideApproval, sendHeldWire, setEgressPolicy } from "./egress.js";
import { confirmationCodes, PASSWORD } from "./human.js";
import { readAllPages } from "./pagination.js";

/** The public URL of all daemons, so that URIs and human accounts stay the same. */
const ORIGIN = "https://wireroom.example.com";
/** Text with U+0000, which PostgreSQL cannot store, and with the characters that replace it. */
const NUL = "nul \0 and \uffff0 and ünï 🚂";

/** Starts a daemon with the embedded identity provider on this database. */
export function startDaemonOn(
  databaseUrl: string,
  dataDir: string,
  args: string[] = [],
): Promise<TestDaemon> {
  const all = ["--database-url", databaseUrl, "--public-url", ORIGIN, ...args];
  return startDaemon({ ...EMBEDDED_IDENTITY, dataDir, args: all });
}

const NAMES = ["alice", "bob", "carol"] as const;
const emailOf = (name: string) => `${name}@example.com`;

export interface SeededData {
  /** API keys of the agents, and ID tokens of their humans. */
  keys: Record<(typeof NAMES)[number], string>;
  tokens: Record<(typeof NAMES)[number], string>;
  /** A cursor in the middle of alice's inbox. */
  cursor: string;
  /** A cursor after the first page of a space's feed. */
  feedCursor: string;
  wire: Body;
  thread: string;
  /** The token of alice's claim of the first wire of the thread. */
  claimToken: string;
  /** A request with this idempotency key, and its first response. */
  repeated: { key: string; body: object; response: Body };
}

/** Creates at least one row in every table. */
export async function seedEveryTable(daemon: TestDaemon): Promise<SeededData> {
  await post(daemon, "sign-up", { email: "waiting@example.com", password: PASSWORD });
  await grant(daemon, "nobody@example.com", "wrong password");
  const agent = async (slug: string, fields = {}) => {
    await signUp(daemon, emailOf(slug));
    const token = await signIn(daemon, slug);
    return { ...(await createAgent(daemon, daemon.client(token), slug, fields)), token };
  };
  const profile = { display_name: NUL, bio: "fishes at dawn", tags: ["bird", "river"] };
  const [alice, bob, carol] = [
    await agent("alice", { discoverable: true, ...profile }),
    await agent("bob"),
    await agent("carol"),
  ];

  const ref = await registerSchema(alice, "quote", schemaRequiring({ price: "number" }));
  const rule = { allow_text: true, accepted_schemas: [ref], votable: true, claimable: true };
  await createSpace(alice, "market", { root_rule: rule, tags: ["trade"], description: "buy and sell" });
  await createSpace(bob, "closed", { visibility: "private", root_rule: { allow_text: true } });
  await expectOk(bob.put("/spaces/closed", { members: [{ handle: "alice", role: "reader" }] }));
  await makeContacts(alice, bob);
  await sendKnock(carol, "alice", NUL);
  await expectOk(alice.put("/blocks/carol"));

  const root = await sendWire(bob, "#market", { text: `wanted: turbines ${NUL}`, payload: { price: 7 } });
  await sendWire(alice, "#market", { text: "offering turbines", reply_to: root.id, mentions: ["bob"] });
  const removed = await sendWire(carol, "#market", { text: "turbines, but spam" });
  await expectOk(alice.delete(`/spaces/market/wires/${removed.id}`));
  await sendWire(bob, "#closed", { text: "turbines in secret" });
  await expectOk(alice.put(`/wires/${root.id}/vote`));
  await expectOk(carol.put(`/wires/${root.id}/vote`));
  const { token } = await expectOk(alice.put(`/wires/${root.id}/claim`, { seconds: 86_400 }));
  const wire = await sendWire(bob, "alice", {
    text: NUL,
    payload: { [NUL]: [NUL, 1.5, null], "2": 1, "1": 2 },
  });
  for (const text of ["two", "three", "four"]) await sendWire(bob, "alice", { text });

  await setEgressPolicy(carol, { mode: "approval", allow: ["@bob"], deny: ["#closed"] });
  await decideApproval(carol, await sendHeldWire(carol, "#market", { text: "turbines after all" }));
  await sendHeldWire(carol, "#market", { text: "not answered" });

  const body = { to: "alice", text: "said once" };
  const key = "one-and-only";
  const response = await expectOk(bob.post("/wires", body, { "idempotency-key": key }), 201);
  const { next_cursor: cursor } = await expectOk(alice.get("/inbox?limit=2"));
  await expectOk(alice.get(`/inbox?limit=1&cursor=${encodeURIComponent(cursor)}`));
  // Read the inboxes to their ends now, so that the reads of `snapshotResponses` move no checkpoint and store
  // no receipts.
  await readInboxToEnd(alice);
  const { next_cursor: feedCursor } = await expectOk(alice.get("/spaces/market/wires?limit=1"));
  return {
    keys: { alice: alice.key, bob: bob.key, carol: carol.key },
    tokens: { alice: alice.token, bob: bob.token, carol: carol.token },
    cursor,
    feedCursor,
    wire,
    thread: root.id,
    claimToken: token,
    repeated: { key, body, response },
  };
}

/** Returns the responses of many operations. They must not change when the data is copied. */
export async function snapshotResponses(daemon: TestDaemon, made: SeededData): Promise<Body> {
  const [alice, bob, carol] = [made.keys.alice, made.keys.bob, made.keys.carol].map((key) =>
    daemon.client(key),
  );
  const found = (q: string) => expectOk(bob!.get(`/spaces/market/search?q=${encodeURIComponent(q)}`));
  const listed = (type: string, q: string) => expectOk(bob!.get(`/search?type=${type}&q=${q}`));
  return {
    inbox: await readInboxPages(alice!, made.cursor),
    feed: await expectOk(
      alice!.get(`/spaces/market/wires?limit=50&cursor=${encodeURIComponent(made.feedCursor)}`),
    ),
    top: await expectOk(alice!.get("/spaces/market/wires?sort=top")),
    thread: await expectOk(alice!.get(`/threads/${made.thread}`)),
    wire: await expectOk(alice!.get(`/wires/${made.wire.id}`)),
    searches: await Promise.all(["turbines", '"wanted turbines"', "turbines -offering", "spam"].map(found)),
    switchboard: await Promise.all([
      listed("handles", "dawn"),
      listed("handles", "alice"),
      listed("spaces", "sell"),
      listed("schemas", "quote"),
    ]),
    profiles: await Promise.all([alice, bob, carol].map((one) => expectOk(one!.get("/profile")))),
    relations: await Promise.all([
      expectOk(alice!.get("/contacts")),
      expectOk(alice!.get("/blocks")),
      expectOk(alice!.get("/knocks")),
    ]),
    approvals: await readAllPages(daemon.client(made.tokens.carol), "/approvals", "approvals", 1),
    export: await Promise.all(NAMES.map((name) => exportLines(daemon, made.tokens[name]))),
    again: await expectOk(
      bob!.post("/wires", made.repeated.body, { "idempotency-key": made.repeated.key }),
      201,
    ),
  };
}

/** Returns all pages of an inbox from a cursor to the end. */
async function readInboxPages(reader: Client, from: string): Promise<Body[]> {
  const pages: Body[] = [];
  for (let cursor = from; ; ) {
    const page = await expectOk(reader.get(`/inbox?limit=2&cursor=${encodeURIComponent(cursor)}`));
    pages.push(page);
    if (page.next_cursor === cursor) return pages;
    cursor = page.next_cursor;
  }
}

/**
 * Returns the lines of the export without values that requests change: times of key use, and entries of
 * exports.
 */
async function exportLines({ base }: TestDaemon, token: string): Promise<string[]> {
  const response = await fetch(`${base}/export`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  const lines = (await response.text()).trimEnd().split("\n");
  return lines
    .filter((line) => !line.includes('"data.exported"') && !line.includes('"type":"end"'))
    .map((line) => line.replace(/"last_used_at":"[^"]*"/, '"last_used_at":"some time"'));
}

async function createAgent(
  daemon: TestDaemon,
  owner: Client,
  slug: string,
  fields: object,
): Promise<AgentClient> {
  const { id } = await expectOk(owner.post("/handles", { slug, ...fields }), 201);
  const { key, id: keyId } = await expectOk(owner.post("/keys", { handle_id: id }), 201);
  return { ...daemon.client(key), slug, id, key, keyId, owner };
}

/** Returns an ID token of a human with an account at the embedded provider. */
export async function signIn(daemon: TestDaemon, name: string): Promise<string> {
  return ((await (await grant(daemon, emailOf(name), PASSWORD)).json()) as { id_token: string }).id_token;
}

async function signUp(daemon: TestDaemon, email: string): Promise<void> {
  await post(daemon, "sign-up", { email, password: PASSWORD });
  await expect.poll(() => confirmationCodes(daemon.log(), email)).toHaveLength(1);
  await post(daemon, "confirm", {
    email,
    code: confirmationCodes(daemon.log(), email)[0],
    password: PASSWORD,
  });
}

async function post({ origin }: TestDaemon, path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const given = await fetch(`${origin}/identity/${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  expect(given.ok).toBe(true);
}

function grant({ origin }: TestDaemon, username: string, password: string): Promise<Response> {
  const body = new URLSearchParams({
    grant_type: "urn:wireroom:params:oauth:grant-type:password",
    client_id: "wireroom-cli",
    scope: "openid email offline_access",
    username,
    password,
  });
  return fetch(`${origin}/identity/token`, { method: "POST", body });
}
