/**
 * The human's session. The page keeps an ID token in memory, and renews it with a cookie that scripts cannot
 * read. All of a browser's tabs share the cookie, and tell each other when the human signs out.
 */
import { signal } from "@preact/signals";
import { WireroomError } from "@wireroom/sdk";
import { clearToasts } from "../parts/toast.js";
import { base64url, nowMs, randomText } from "./clock.js";
import { channelOf } from "./memory.js";
import { BASE } from "./router.js";

/** The daemon's public origin. The browser may have opened the page under a different host name. */
const ORIGIN = document.querySelector<HTMLMetaElement>('meta[name="wireroom-origin"]')!.content;
/** Whether humans sign in at the daemon itself. An external identity provider manages passwords itself. */
export const IS_EMBEDDED =
  document.querySelector<HTMLMetaElement>('meta[name="wireroom-identity"]')!.content === "embedded";
const SESSION_URL = "/identity/console/session";
const TICKET_URL = "/identity/console-session";
const RENEW_BEFORE_MS = 60_000;
/**
 * Timeout of a token request. The request must end, because all other tabs wait for the requesting tab's
 * lock.
 */
const ANSWER_TIMEOUT_MS = 20_000;
/** The pending sign-in's key in `sessionStorage`. */
const PENDING = "wireroom-sign-in";

interface Token {
  value: string;
  expiresAtMs: number;
}

/**
 * The state of the session. `deleted`: the human has deleted the account. `unreachable`: the daemon did not
 * answer. `failing`: the daemon answered with an error. `insecure`: the connection is neither https nor
 * local, so the browser does not offer the APIs that a sign-in needs. `blocked`: the browser refuses cookies
 * and storage. `offered`: the human must confirm a ticket that was issued to another machine.
 */
export type SessionState =
  | "starting"
  | "signed-in"
  | "signed-out"
  | "offered"
  | "deleted"
  | "unreachable"
  | "failing"
  | "insecure"
  | "blocked";

/** States in which the page does not yet know whether the human is signed in. */
const NOT_STARTED: readonly SessionState[] = ["starting", "unreachable", "failing", "offered"];

export const session = signal<SessionState>("starting");
export const signInProblem = signal<string | undefined>(undefined);
/** E-mail address of the account into which an offered ticket would sign in. */
export const offeredEmail = signal("");

let token: Token | undefined;
/**
 * The ticket from the URL that `wireroom console` opened. Undefined once the daemon has accepted or refused
 * it.
 */
let ticket: string | undefined;
let renewal: Promise<Token> | undefined;
/** The name of the lock, and of the channel that tells all tabs when the human signs out. */
export const LOCK = "wireroom-session";
const tabs = channelOf(LOCK);

/** Thrown when the session has ended and the human must sign in again. */
export class SignedOutError extends Error {
  override readonly name = "SignedOutError";
}

tabs.addEventListener("message", () => {
  clearToasts();
  end();
});

/** Matches the fragment of the URL that `wireroom console` opens. */
const TICKET = /^#ticket=(\w+)$/;

// A ticket may be pasted into the address bar of the open page.
addEventListener("hashchange", () => {
  if (TICKET.test(location.hash)) startSession();
});

/** @param email e-mail address of an offered ticket's account, if the human has confirmed the ticket */
export async function startSession(email?: string): Promise<void> {
  const { pathname, search, hash } = location;
  const [, given] = TICKET.exec(hash) ?? [];
  // Remove the ticket from the address bar and the browser's history.
  if (given !== undefined) history.replaceState(null, "", pathname + search);
  ticket = given ?? ticket;
  if (!isSecureContext) {
    session.value = "insecure";
    return;
  }
  if (!navigator.cookieEnabled) {
    session.value = "blocked";
    return;
  }
  if (location.origin !== ORIGIN) return location.replace(ORIGIN + pathname + search + hash);
  const isLink = ticket === undefined && ![BASE, `${BASE}/`, `${BASE}/callback`].includes(pathname);
  try {
    if (ticket !== undefined) await navigator.locks.request(LOCK, () => redeem(email));
    else if (location.pathname === `${BASE}/callback`) await finishSignIn();
    else await renew();
  } catch (error) {
    // The state is already set. Open the sign-in page at once only if the URL is a link to a view; `/console`
    // itself first shows a button.
    if (error instanceof SignedOutError && isLink) await signIn({ replace: true });
  }
}

/**
 * Returns an ID token for a request. Throws `SignedOutError` if the session has ended.
 * @param refused a token that the daemon has just rejected; it is renewed even if it looks valid
 */
export async function idToken(refused?: string): Promise<string> {
  const isFresh = token && token.value !== refused && nowMs() < token.expiresAtMs - RENEW_BEFORE_MS;
  return (isFresh ? token! : await renew()).value;
}

/** Changes the password at the embedded identity provider, which ends all of the human's other sign-ins. */
export async function changePassword(input: Record<"email" | "password" | "new_password", string>) {
  const response = await fetch("/identity/password", {
    method: "POST",
    headers: { authorization: `Bearer ${await idToken()}`, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  if (!response.ok) throw await errorOf(response);
}

/**
 * Sends a request with the current token. The request completes even if the page is closed meanwhile.
 * @param path path of an operation for humans, such as `/v1/approvals/…`
 */
export async function sendAnyway(path: string, method: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${token?.value}`, "content-type": "application/json" };
  const response = await fetch(path, { method, headers, body: JSON.stringify(body), keepalive: true });
  if (!response.ok) throw await errorOf(response);
  return response;
}

async function errorOf(response: Response): Promise<WireroomError> {
  const { message, code, errors } = (await response.json()) as {
    message: string;
    code: string;
    errors?: WireroomError["errors"];
  };
  return new WireroomError(message, { code, status: response.status, errors });
}

/**
 * @param replace whether to replace the current history entry, so that Back leads to the page before this one
 */
export async function signIn({ isNew = false, replace = false } = {}): Promise<void> {
  const verifier = randomText();
  const state = randomText();
  const back = location.pathname === `${BASE}/callback` ? BASE : location.href.slice(ORIGIN.length);
  sessionStorage.setItem(PENDING, JSON.stringify({ verifier, state, back }));
  const challenge = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const parameters = new URLSearchParams({
    client_id: "wireroom-console",
    redirect_uri: `${ORIGIN}${BASE}/callback`,
    response_type: "code",
    scope: "openid email",
    // Always ask for a new sign-in, because another human may still be signed in at the provider in this
    // browser.
    prompt: "login",
    code_challenge: base64url(new Uint8Array(challenge)),
    code_challenge_method: "S256",
    state,
    ...(isNew && { screen_hint: "sign-up" }),
  });
  location[replace ? "replace" : "assign"](`${ORIGIN}/identity/auth?${parameters}`);
}

/** Continues without the offered ticket. */
export function declineTicket(): Promise<void> {
  ticket = undefined;
  return startSession();
}

/**
 * Signs in with the ticket. If the daemon refuses it, the page continues with the session that the browser
 * may already have.
 */
async function redeem(email: string | undefined): Promise<void> {
  const response = await send(TICKET_URL, { ticket, email });
  if (response.status === 200) {
    offeredEmail.value = ((await response.json()) as { email: string }).email;
    session.value = "offered";
    return;
  }
  ticket = undefined;
  signInProblem.value = response.ok
    ? undefined
    : "The sign-in did not work. The link was already used, or is older than a minute. Run this command again: wireroom console";
  await request({ grant_type: "refresh_token" });
}

let finish = async (): Promise<boolean> => true;

/**
 * Registers a function that sends the human's pending answers before the sign-out. The function returns false
 * if an answer did not arrive.
 */
export function beforeSignOut(run: typeof finish): void {
  finish = run;
}

export async function signOut(): Promise<void> {
  clearToasts();
  if (!(await finish()))
    throw new Error(
      "You are still signed in, because an answer did not arrive. Sign out again to leave all the same.",
    );
  const response = await fetch(SESSION_URL, { method: "DELETE" }).catch(() => undefined);
  // Show an error, because the human must not leave a browser that is still signed in.
  if (!response?.ok) throw new Error("You are still signed in: the daemon did not answer. Try again.");
  tabs.postMessage("signed out");
  end();
}

/** Ends the session after the human has deleted the account, and removes this browser's cookies. */
export async function leaveDeleted(): Promise<void> {
  // If this request fails, the cookies remain, which does no harm because they are no longer valid.
  await fetch(SESSION_URL, { method: "DELETE" }).catch(() => undefined);
  tabs.postMessage("signed out");
  clearToasts();
  end();
  history.replaceState(null, "", BASE);
  session.value = "deleted";
}

function end(): void {
  token = undefined;
  // Keep the state `deleted`. Requests that ran when the account was deleted also call this function.
  if (session.value !== "deleted") session.value = "signed-out";
}

async function finishSignIn(): Promise<void> {
  const answer = new URLSearchParams(location.search);
  const pending = JSON.parse(sessionStorage.getItem(PENDING) ?? "null") as {
    verifier: string;
    state: string;
    back: string;
  } | null;
  sessionStorage.removeItem(PENDING);
  const isAnswer = pending !== null && answer.get("state") === pending.state;
  const back = isAnswer && pending.back.startsWith(BASE) ? pending.back : BASE;
  // Remove the authorization code from the browser's history.
  history.replaceState(null, "", back);
  dispatchEvent(new PopStateEvent("popstate"));
  // Show no text of the URL, because anybody can write a link to this page.
  if (!isAnswer) return await renew().then(() => {});
  const code = answer.get("code");
  if (code === null) {
    const error = answer.get("error") ?? "";
    signInProblem.value = Object.hasOwn(SIGN_IN_PROBLEMS, error)
      ? SIGN_IN_PROBLEMS[error]!
      : "The sign-in did not work. Try again.";
    return end();
  }
  await requestInTurn({ grant_type: "authorization_code", code, code_verifier: pending.verifier });
}

/** Keyed by the codes of RFC 6749, section 4.1.2.1. */
const SIGN_IN_PROBLEMS: Readonly<Record<string, string>> = {
  access_denied: "You cancelled the sign-in.",
  server_error: "The sign-in page had a problem. Try again in a minute.",
  temporarily_unavailable: "The sign-in page is busy. Try again in a minute.",
};

/** Concurrent calls share one request. */
function renew(): Promise<Token> {
  renewal ??= requestInTurn({ grant_type: "refresh_token" }).finally(() => {
    renewal = undefined;
  });
  return renewal;
}

/**
 * Requests a token, in only one tab at a time. Otherwise a tab could send a refresh token that another tab
 * has already used, which looks like theft. A late renewal could also overwrite the cookie of a human who has
 * just signed in.
 */
function requestInTurn(body: object): Promise<Token> {
  return navigator.locks.request(LOCK, () => request(body));
}

/** If the daemon does not answer or fails, sets the state and throws. */
async function send(url: string, body: object): Promise<Response> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  }).catch(() => undefined);
  if (response === undefined || response.status >= 500 || response.status === 429) {
    if (NOT_STARTED.includes(session.value)) session.value = response ? "failing" : "unreachable";
    throw new Error("the daemon did not answer");
  }
  return response;
}

async function request(body: object): Promise<Token> {
  const response = await send(SESSION_URL, body);
  if (!response.ok) {
    end();
    throw new SignedOutError("signed out");
  }
  const { id_token, expires_in } = (await response.json()) as { id_token: string; expires_in: number };
  const before = token;
  token = { value: id_token, expiresAtMs: nowMs() + expires_in * 1_000 };
  // A different human has signed in in another tab. Reload the page, so that it no longer shows the previous
  // human's data.
  if (before && subjectOf(before) !== subjectOf(token)) location.reload();
  session.value = "signed-in";
  return token;
}

/** Returns the signed-in human's id. */
export const subject = (): string => subjectOf(token!);

/** The token is not verified, because it came directly from the daemon. */
function subjectOf({ value }: Token): string {
  const [, claims = ""] = value.split(".");
  return (JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/"))) as { sub: string }).sub;
}
