/** A service with rows of every kind in it, and what it answers: for tests that move it elsewhere. */
import { expect } from "vitest";
import { type AgentClient, type Body, type Client, startDaemon, type TestDaemon } from "./daemon.js";
import { answer, sendHeld, setEgress } from "./egress.js";
import { everyPage } from "./pages.js";
import { codesOf, PASSWORD } from "./person.js";
import { befriend, createSpace, knock, ok, register, requiring, send } from "./talk.js";

/** One origin wherever it runs, so that URIs and human accounts are the same. */
const ORIGIN = "https://wireroom.example.com";
/** U+0000, and what a database that cannot hold it might put in its place. */
const NUL = "nul \0 and \uffff0 and ünï 🚂";

/** A daemon with its own identity provider on this database. */
export function startOn(databaseUrl: string, dataDir: string, args: string[] = []): Promise<TestDaemon> {
  const all = ["--database-url", databaseUrl, "--public-url", ORIGIN, ...args];
  return startDaemon({ dataDir, args: all, embedded: true });
}

const NAMES = ["alice", "bob", "carol"] as const;
const emailOf = (name: string) => `${name}@example.com`;

export interface Everything {
  /** API keys of the agents, and ID tokens of their humans, one for each. */
  keys: Record<(typeof NAMES)[number], string>;
  tokens: Record<(typeof NAMES)[number], string>;
  /** Of alice's inbox, where half of it was read. */
  cursor: string;
  /** Of the newest posts of a space, after the first page. */
  feedCursor: string;
  wire: Body;
  thread: string;
  /** A request that was made under this Idempotency-Key. */
  repeated: { key: string; body: object; response: Body };
}

/** Fills a service, so that no table of it is empty. */
export async function makeEverything(daemon: TestDaemon): Promise<Everything> {
  await post(daemon, "sign-up", { email: "waiting@example.com", password: PASSWORD });
  await grant(daemon, "nobody@example.com", "wrong password");
  const agent = async (slug: string, fields = {}) => {
    await signUp(daemon, emailOf(slug));
    const token = await signIn(daemon, slug);
    return { ...(await newAgent(daemon, daemon.client(token), slug, fields)), token };
  };
  const profile = { display_name: NUL, bio: "fishes at dawn", tags: ["bird", "river"] };
  const [alice, bob, carol] = [
    await agent("alice", { discoverable: true, ...profile }),
    await agent("bob"),
    await agent("carol"),
  ];

  const ref = await register(alice, "quote", requiring({ price: "number" }));
  const rule = { allow_text: true, accepted_schemas: [ref], votable: true };
  await createSpace(alice, "market", { root_rule: rule, tags: ["trade"], description: "buy and sell" });
  await createSpace(bob, "closed", { visibility: "private", root_rule: { allow_text: true } });
  await ok(bob.put("/spaces/closed", { members: [{ handle: "alice", role: "reader" }] }));
  await befriend(alice, bob);
  await knock(carol, "alice", NUL);
  await ok(alice.put("/blocks/carol"));

  const root = await send(bob, "#market", { text: `wanted: turbines ${NUL}`, payload: { price: 7 } });
  await send(alice, "#market", { text: "offering turbines", reply_to: root.id });
  const removed = await send(carol, "#market", { text: "turbines, but spam" });
  await ok(alice.delete(`/spaces/market/wires/${removed.id}`));
  await send(bob, "#closed", { text: "turbines in secret" });
  await ok(alice.put(`/wires/${root.id}/vote`));
  await ok(carol.put(`/wires/${root.id}/vote`));
  const wire = await send(bob, "alice", { text: NUL, payload: { [NUL]: [NUL, 1.5, null], "2": 1, "1": 2 } });
  for (const text of ["two", "three", "four"]) await send(bob, "alice", { text });

  await setEgress(carol, { mode: "approval", allow: ["@bob"], deny: ["#closed"] });
  await answer(carol, await sendHeld(carol, "#market", { text: "turbines after all" }));
  await sendHeld(carol, "#market", { text: "not answered" });

  const body = { to: "alice", text: "said once" };
  const key = "one-and-only";
  const response = await ok(bob.post("/wires", body, { "idempotency-key": key }), 201);
  const { next_cursor: cursor } = await ok(alice.get("/inbox?limit=2"));
  await ok(alice.get(`/inbox?limit=1&cursor=${encodeURIComponent(cursor)}`));
  const { next_cursor: feedCursor } = await ok(alice.get("/spaces/market/wires?limit=1"));
  return {
    keys: { alice: alice.key, bob: bob.key, carol: carol.key },
    tokens: { alice: alice.token, bob: bob.token, carol: carol.token },
    cursor,
    feedCursor,
    wire,
    thread: root.id,
    repeated: { key, body, response },
  };
}

/** What the service answers: the same wherever it was copied to. */
export async function answersOf(daemon: TestDaemon, made: Everything): Promise<Body> {
  const [alice, bob, carol] = [made.keys.alice, made.keys.bob, made.keys.carol].map((key) =>
    daemon.client(key),
  );
  const found = (q: string) => ok(bob!.get(`/spaces/market/search?q=${encodeURIComponent(q)}`));
  const listed = (type: string, q: string) => ok(bob!.get(`/search?type=${type}&q=${q}`));
  return {
    inbox: await everyInboxPage(alice!, made.cursor),
    feed: await ok(alice!.get(`/spaces/market/wires?limit=50&cursor=${encodeURIComponent(made.feedCursor)}`)),
    top: await ok(alice!.get("/spaces/market/wires?sort=top")),
    thread: await ok(alice!.get(`/threads/${made.thread}`)),
    wire: await ok(alice!.get(`/wires/${made.wire.id}`)),
    searches: await Promise.all(["turbines", '"wanted turbines"', "turbines -offering", "spam"].map(found)),
    switchboard: await Promise.all([
      listed("handles", "dawn"),
      listed("handles", "alice"),
      listed("spaces", "sell"),
      listed("schemas", "quote"),
    ]),
    profiles: await Promise.all([alice, bob, carol].map((one) => ok(one!.get("/profile")))),
    relations: await Promise.all([
      ok(alice!.get("/contacts")),
      ok(alice!.get("/blocks")),
      ok(alice!.get("/knocks")),
    ]),
    approvals: await everyPage(daemon.client(made.tokens.carol), "/approvals", "approvals", 1),
    export: await Promise.all(NAMES.map((name) => exported(daemon, made.tokens[name]))),
    again: await ok(bob!.post("/wires", made.repeated.body, { "idempotency-key": made.repeated.key }), 201),
  };
}

/** From a cursor to the end, without moving the reader's place for the next who asks from the same cursor. */
async function everyInboxPage(reader: Client, from: string): Promise<Body[]> {
  const pages: Body[] = [];
  for (let cursor = from; ; ) {
    const page = await ok(reader.get(`/inbox?limit=2&cursor=${encodeURIComponent(cursor)}`));
    pages.push(page);
    if (page.next_cursor === cursor) return pages;
    cursor = page.next_cursor;
  }
}

/** The lines of the export, without what each request leaves behind: when keys were used, and records of exports. */
async function exported({ base }: TestDaemon, token: string): Promise<string[]> {
  const response = await fetch(`${base}/export`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  const lines = (await response.text()).trimEnd().split("\n");
  return lines
    .filter((line) => !line.includes('"data.exported"') && !line.includes('"type":"end"'))
    .map((line) => line.replace(/"last_used_at":"[^"]*"/, '"last_used_at":"some time"'));
}

async function newAgent(
  daemon: TestDaemon,
  owner: Client,
  slug: string,
  fields: object,
): Promise<AgentClient> {
  const { id } = await ok(owner.post("/handles", { slug, ...fields }), 201);
  const { key, id: keyId } = await ok(owner.post("/keys", { handle_id: id }), 201);
  return { ...daemon.client(key), slug, id, key, keyId, owner };
}

/** The ID token of a human whose account is kept by the daemon itself. */
export async function signIn(daemon: TestDaemon, name: string): Promise<string> {
  return ((await (await grant(daemon, emailOf(name), PASSWORD)).json()) as { id_token: string }).id_token;
}

async function signUp(daemon: TestDaemon, email: string): Promise<void> {
  await post(daemon, "sign-up", { email, password: PASSWORD });
  await expect.poll(() => codesOf(daemon.log(), email)).toHaveLength(1);
  await post(daemon, "confirm", { email, code: codesOf(daemon.log(), email)[0] });
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
