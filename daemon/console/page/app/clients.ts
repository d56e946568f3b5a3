/** The clients of the API: the human's, and one for each of their handles. */
import { Wireroom, WireroomDashboard } from "@wireroom/sdk";
import { nowMs } from "./clock.js";
import { idToken, sendAnyway } from "./session.js";

const baseUrl = `${location.origin}/v1`;
/**
 * An access token, which lives an hour, is replaced after this time. The clock of the browser may be wrong,
 * so it only measures the duration.
 */
const RENEW_AFTER_MS = 59 * 60_000;

/** The operations of the human. */
export const dashboard = new WireroomDashboard({ baseUrl, idToken });

const agents = new Map<string, Wireroom>();
/** The present access token of each handle. */
const tokens = new Map<string, { token: string; renewAtMs: number }>();
/** Requests for tokens that were not answered yet. */
const pending = new Map<string, Promise<string>>();

/**
 * Returns a client that acts as a handle of the human. It asks for an access token when it is first used, and
 * keeps it in memory, because each token is an entry of the audit log.
 * @param slug the handle without `@`
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
 * Gives the tokens back when the page goes, because the service limits how many of a handle are live. A page
 * that comes back from the back/forward cache asks for new ones. When the human signs out, the service ends
 * them.
 */
export function returnTokens(): void {
  addEventListener("pagehide", () => {
    for (const [slug, { token }] of tokens)
      sendAnyway(`/v1/handles/${slug}/token/revoke`, "POST", { token }).catch(() => {});
    tokens.clear();
  });
}
