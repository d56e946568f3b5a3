/**
 * The session of the human: an ID token in memory, renewed by a cookie that scripts cannot read. Tabs of one
 * browser share the cookie, and tell each other when the human signs out.
 */
import { signal } from "@preact/signals";
import { WireroomError } from "@wireroom/sdk";
import { clearToasts } from "../parts/toast.js";
import { base64url, nowMs, randomText } from "./clock.js";
import { BASE } from "./router.js";

/** The public origin of the daemon, which the browser may have been given another name of. */
const ORIGIN = document.querySelector<HTMLMetaElement>('meta[name="wireroom-origin"]')!.content;
const SESSION_URL = "/identity/console/session";
/** A token is renewed this long before it ends. */
const RENEW_BEFORE_MS = 60_000;
/** Other tabs wait for the answer, too. */
const ANSWER_TIMEOUT_MS = 20_000;
/** Key of the pending sign-in in the tab's storage. */
const PENDING = "wireroom-sign-in";

interface Token {
  value: string;
  expiresAtMs: number;
}

/**
 * The state of the session: `deleted` after the human has deleted the account, `unreachable` if the daemon
 * did not answer, `failing` if it answered that it could not, `insecure` if the browser trusts the connection
 * too little for a sign-in: it is neither https nor on this machine.
 */
export type SessionState =
  | "starting"
  | "signed-in"
  | "signed-out"
  | "deleted"
  | "unreachable"
  | "failing"
  | "insecure";

/** The states in which it is not known whether the human is signed in. */
const NOT_STARTED: readonly SessionState[] = ["starting", "unreachable", "failing"];

export const session = signal<SessionState>("starting");
/** The reason why the last sign-in failed, for the page that offers the next one. */
export const signInProblem = signal<string | undefined>(undefined);

let token: Token | undefined;
let renewal: Promise<Token> | undefined;
const tabs = new BroadcastChannel("wireroom-session");

/** The session has ended: the human has to sign in again. */
export class SignedOutError extends Error {
  override readonly name = "SignedOutError";
}

tabs.addEventListener("message", () => {
  clearToasts();
  end();
});

/** Finishes a sign-in if the browser comes back from one, or continues the session of the cookie. */
export async function startSession(): Promise<void> {
  if (!isSecureContext) {
    session.value = "insecure";
    return;
  }
  if (location.origin !== ORIGIN) return location.replace(ORIGIN + location.pathname + location.search);
  try {
    if (location.pathname === `${BASE}/callback`) await finishSignIn();
    else await renew();
  } catch {
    // `renew` has set the state.
  }
}

/**
 * Returns an ID token for a request. Throws `SignedOutError` if the session has ended.
 * @param refused the token that the daemon has just rejected
 */
export async function idToken(refused?: string): Promise<string> {
  const isFresh = token && token.value !== refused && nowMs() < token.expiresAtMs - RENEW_BEFORE_MS;
  return (isFresh ? token! : await renew()).value;
}

/**
 * Changes the password at the embedded provider. Other sign-ins of the human end, and this one stays.
 * @returns what is wrong, or undefined if the password was changed
 */
export async function changePassword(
  email: string,
  password: string,
  newPassword: string,
): Promise<string | undefined> {
  const response = await fetch("/identity/password", {
    method: "POST",
    headers: { authorization: `Bearer ${await idToken()}`, "content-type": "application/json" },
    body: JSON.stringify({ email, password, new_password: newPassword }),
  });
  return response.ok ? undefined : ((await response.json()) as { message: string }).message;
}

/**
 * Sends a request with the present token although the page is left.
 * @param path the path of an operation of the human, such as `/v1/approvals/…`
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

/** Goes to the sign-in page, and comes back to the present view. */
export async function signIn(): Promise<void> {
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
    // Another human may use this browser, so a session that is left there is not enough.
    prompt: "login",
    code_challenge: base64url(new Uint8Array(challenge)),
    code_challenge_method: "S256",
    state,
  });
  location.assign(`${ORIGIN}/identity/auth?${parameters}`);
}

let finish = async (): Promise<boolean> => true;

/** Calls a function before the human signs out. It returns false if something did not arrive. */
export function beforeSignOut(run: typeof finish): void {
  finish = run;
}

/** Ends the session in all tabs, and the browser's session at the sign-in page. */
export async function signOut(): Promise<void> {
  clearToasts();
  if (!(await finish()))
    throw new Error(
      "You are still signed in, because an answer did not arrive. Sign out again to leave all the same.",
    );
  const response = await fetch(SESSION_URL, { method: "DELETE" }).catch(() => undefined);
  // The human must not leave a browser that is still signed in.
  if (!response?.ok) throw new Error("You are still signed in: the daemon did not answer. Try again.");
  tabs.postMessage("signed out");
  end();
}

/** Leaves the console after the account was deleted, and removes the cookies of this browser. */
export async function leaveDeleted(): Promise<void> {
  // If the daemon does not answer, the cookies stay, but they are worth nothing any more.
  await fetch(SESSION_URL, { method: "DELETE" }).catch(() => undefined);
  tabs.postMessage("signed out");
  clearToasts();
  end();
  history.replaceState(null, "", BASE);
  session.value = "deleted";
}

function end(): void {
  token = undefined;
  // A request that was under way is refused after the account was deleted.
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
  // The code must not stay in the history.
  history.replaceState(null, "", BASE);
  const code = answer.get("code");
  if (code === null || pending === null || answer.get("state") !== pending.state) {
    signInProblem.value = answer.get("error_description") ?? "";
    return end();
  }
  await requestInTurn({ grant_type: "authorization_code", code, code_verifier: pending.verifier });
  const { back } = pending;
  history.replaceState(null, "", back.startsWith(BASE) ? back : BASE);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** Renews the token. Calls at the same time share one request. */
function renew(): Promise<Token> {
  renewal ??= requestInTurn({ grant_type: "refresh_token" }).finally(() => {
    renewal = undefined;
  });
  return renewal;
}

/**
 * Requests a token. Tabs take turns: a late request with a replaced cookie would look like a thief's, and a
 * late renewal would replace the cookie of a human who has just signed in.
 */
function requestInTurn(body: object): Promise<Token> {
  return navigator.locks.request("wireroom-session", () => request(body));
}

async function request(body: object): Promise<Token> {
  const response = await fetch(SESSION_URL, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  }).catch(() => undefined);
  if (response === undefined || response.status >= 500 || response.status === 429) {
    if (NOT_STARTED.includes(session.value)) session.value = response ? "failing" : "unreachable";
    throw new Error("the daemon did not answer");
  }
  if (!response.ok) {
    end();
    throw new SignedOutError("signed out");
  }
  const { id_token, expires_in } = (await response.json()) as { id_token: string; expires_in: number };
  const before = token;
  token = { value: id_token, expiresAtMs: nowMs() + expires_in * 1_000 };
  // Another human has signed in in another tab. Nothing of the first one may stay in view.
  if (before && subjectOf(before) !== subjectOf(token)) location.reload();
  session.value = "signed-in";
  return token;
}

/** Returns an id of the human who is signed in. */
export const subject = (): string => subjectOf(token!);

/** Returns the human of a token. It came from the daemon over the same connection, so it is not verified. */
function subjectOf({ value }: Token): string {
  const [, claims = ""] = value.split(".");
  return (JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/"))) as { sub: string }).sub;
}
