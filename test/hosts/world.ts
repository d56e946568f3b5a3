/**
 * A daemon with the handles and wires that a client meets. Its human signs in at the embedded provider, as
 * clients with OAuth need.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { type Body, type Client, NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { confirmationCodes } from "../harness/human.js";

export const EMAIL = "ada@example.com";
export const PASSWORD = "correct horse battery";

export interface World {
  daemon: TestDaemon;
  /** The origin that the client sees. */
  origin: string;
  mcpUrl: string;
  /** The API key of @alice, as whom the client acts. */
  key: string;
  /** The human who owns @alice and @bob. */
  human: Client;
  alice: Client;
  bob: Client;
  /** Acts as @carol, a handle of another human. */
  stranger: Client;
}

/** @param proxyOrigin origin of a proxy before the daemon, if there is one */
export async function startWorld(proxyOrigin?: string): Promise<World> {
  const proxy = proxyOrigin === undefined ? [] : ["--public-url", proxyOrigin];
  const daemon = await startDaemon({ embeddedIdentity: true, args: [...NO_LIMITS, ...proxy] });
  const origin = proxyOrigin ?? daemon.origin;
  const human = daemon.client(await signUp(daemon, EMAIL));
  const other = daemon.client(await signUp(daemon, "grace@example.com"));
  const [key, bobKey] = [await issueKey(human, "alice"), await issueKey(human, "bob")];
  return {
    daemon,
    origin,
    mcpUrl: `${origin}/mcp`,
    key,
    human,
    alice: daemon.client(key),
    bob: daemon.client(bobKey),
    stranger: daemon.client(await issueKey(other, "carol")),
  };
}

/** Creates the human's account. Returns an ID token. */
async function signUp({ origin, log }: TestDaemon, email: string): Promise<string> {
  const account = { email, password: PASSWORD };
  await post(`${origin}/identity/sign-up`, account);
  await post(`${origin}/identity/confirm`, { ...account, code: await waitForCode(log, email) });
  const form = new URLSearchParams({
    grant_type: "urn:wireroom:params:oauth:grant-type:password",
    client_id: "wireroom-cli",
    scope: "openid email",
    username: email,
    password: PASSWORD,
  });
  return (await answerOf(fetch(`${origin}/identity/token`, { method: "POST", body: form }))).id_token;
}

/** Waits until the code has been sent, which means that it is in the log. */
async function waitForCode(log: () => string, email: string): Promise<string> {
  for (;;) {
    const [code] = confirmationCodes(log(), email);
    if (code !== undefined) return code;
    await sleep(20);
  }
}

function post(url: string, body: object): Promise<Body> {
  const headers = { "content-type": "application/json" };
  return answerOf(fetch(url, { method: "POST", headers, body: JSON.stringify(body) }));
}

async function answerOf(reply: Promise<Response>): Promise<Body> {
  const response = await reply;
  const body: Body = await response.json();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(body)}`);
  return body;
}

async function issueKey(human: Client, slug: string): Promise<string> {
  const handle = await human.post("/handles", { slug });
  const { status, body } = await human.post("/keys", { handle_id: handle.body.id });
  if (status !== 201) throw new Error(`no key for @${slug}: ${JSON.stringify([handle.body, body])}`);
  return body.key;
}
