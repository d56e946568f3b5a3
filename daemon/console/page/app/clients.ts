/** The clients of the API: the human's, and one for each of their handles. */
import { Wireroom, WireroomDashboard } from "@wireroom/sdk";
import { nowMs } from "./clock.js";
import { idToken, sendAnyway } from "./session.js";

const baseUrl = `${location.origin}/v1`;
/** An access token lives an hour. Only a duration is measured, because the browser's clock may be wrong. */
const RENEW_AFTER_MS = 59 * 60_000;

/** The operations of the human. */
export const dashboard = new WireroomDashboard({ baseUrl, idToken });

const agents = new Map<string, Wireroom>();
/** The present access token of each handle. */
const tokens = new Map<string, { token: string; renewAtMs: number }>();
/** Requests for tokens that were not answered yet. */
const pending = new Map<string, Promise<string>>();

/**
 * Returns a client that acts as a handle of the human. It requests an access token when it is first used, and
 * keeps it, because each token is an entry of the audit log.
 */
export function agent(slug: string): Wireroom {
  let client = agents.get(slug);
  if (!client) {
    client = new Wireroom({ baseUrl, apiKey: (refused) => tokenOf(slug, refused) });
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
 * Returns the tokens when the page goes, because the service limits the live ones of a handle. Signing out
 * ends them, too.
 */
export function returnTokens(): void {
  addEventListener("pagehide", () => {
    for (const [slug, { token }] of tokens)
      sendAnyway(`/v1/handles/${slug}/token/revoke`, "POST", { token }).catch(() => {});
    tokens.clear();
  });
}
