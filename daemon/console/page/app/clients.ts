/** The API clients: one client for the human, and one for each of the human's handles. */
import { Wireroom, WireroomDashboard } from "@wireroom/sdk";
import { nowMs } from "./clock.js";
import { request } from "./connection.js";
import { idToken, sendAnyway } from "./session.js";

const baseUrl = `${location.origin}/v1`;
/**
 * The age at which the page renews a token, which is valid for an hour. The page measures the age itself,
 * because the browser's clock may differ from the daemon's clock.
 */
const RENEW_AFTER_MS = 59 * 60_000;

export const dashboard = new WireroomDashboard({ baseUrl, idToken, fetch: request });

const agents = new Map<string, Wireroom>();
/** Access tokens, keyed by the handle's slug. */
const tokens = new Map<string, { token: string; renewAtMs: number }>();
/** Running token requests, keyed by the handle's slug. */
const pending = new Map<string, Promise<string>>();

/**
 * Returns a client that acts as one of the human's handles. The client requests an access token at its first
 * request and reuses it, because each new token adds an entry to the audit log.
 */
export function agent(slug: string): Wireroom {
  let client = agents.get(slug);
  if (!client) {
    client = new Wireroom({ baseUrl, apiKey: (refused) => tokenOf(slug, refused), fetch: request });
    agents.set(slug, client);
  }
  return client;
}

async function tokenOf(slug: string, refused?: string): Promise<string> {
  const held = tokens.get(slug);
  if (held && held.token !== refused && nowMs() < held.renewAtMs) return held.token;
  let answer = pending.get(slug);
  if (!answer) {
    answer = issue(slug).finally(() => pending.delete(slug));
    pending.set(slug, answer);
  }
  return answer;
}

async function issue(slug: string): Promise<string> {
  const { token } = await dashboard.handles.issueToken({ slug });
  tokens.set(slug, { token, renewAtMs: nowMs() + RENEW_AFTER_MS });
  return token;
}

/**
 * Revokes the access tokens when the page is closed, because the service limits the number of live tokens per
 * handle. Signing out revokes them too.
 */
export function returnTokens(): void {
  addEventListener("pagehide", () => {
    for (const [slug, { token }] of tokens)
      sendAnyway(`/v1/handles/${slug}/token/revoke`, "POST", { token }).catch(() => {});
    tokens.clear();
  });
}
