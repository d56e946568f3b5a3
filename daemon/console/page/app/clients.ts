/** The clients of the API: the human's, and one for each of their handles. */
import { effect } from "@preact/signals";
import { Wireroom, WireroomDashboard } from "@wireroom/sdk";
import { nowMs } from "./clock.js";
import { idToken, session } from "./session.js";

const baseUrl = `${location.origin}/v1`;
/** An access token is replaced this long before it ends. */
const RENEW_BEFORE_MS = 60_000;

/** The operations of the human. */
export const dashboard = new WireroomDashboard({ baseUrl, idToken });

const agents = new Map<string, Wireroom>();

/**
 * Returns a client that acts as a handle of the human. It asks for an access token when it is first used, and keeps it in memory, because
 * each token is an entry of the audit log.
 * @param slug the handle without `@`
 */
export function agent(slug: string): Wireroom {
  let client = agents.get(slug);
  if (!client) {
    client = new Wireroom({ baseUrl, apiKey: tokensOf(slug) });
    agents.set(slug, client);
  }
  return client;
}

function tokensOf(slug: string): (refused?: string) => Promise<string> {
  let current: Promise<{ token: string; expires_at: string }> | undefined;
  return async (refused) => {
    const held = await current?.catch(() => undefined);
    const isFresh = held && held.token !== refused && nowMs() < Date.parse(held.expires_at) - RENEW_BEFORE_MS;
    if (!isFresh) current = Promise.resolve(dashboard.handles.issueToken({ slug }));
    return (await current!).token;
  };
}

// The next human who signs in must not act with tokens of this one.
effect(() => {
  if (session.value === "signed-out") agents.clear();
});
