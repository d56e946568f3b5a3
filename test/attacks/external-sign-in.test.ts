/** Attacks on the sign-in at an external provider, whose responses are made up here. */
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { Browser, type Page } from "../harness/browser.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { startIdentityHost } from "../harness/identity-host.js";
import { Application, newSource, oauthServer } from "../harness/oauth.js";
import { DISCOVERY_PATH, forge, JWKS_PATH } from "../harness/oidc-issuer.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const CLIENT_ID = "wireroom-web";
const { daemon } = await daemonFixture([], {
  args: ["--oidc-client-id", CLIENT_ID, "--trusted-proxies", "127.0.0.1"],
  isHosted: true,
});
const { issuer } = daemon;
issuer.override(DISCOVERY_PATH, {
  status: 200,
  body: JSON.stringify({
    issuer: issuer.url,
    jwks_uri: `${issuer.url}${JWKS_PATH}`,
    authorization_endpoint: `${issuer.url}/authorize`,
    token_endpoint: `${issuer.url}/token`,
    id_token_signing_alg_values_supported: ["ES256"],
    prompt_values_supported: ["login", "select_account"],
  }),
});
const application = await Application.register(daemon);

/** Returns the identity service in this process, whose clock can be set. */
async function startHost(oidcIssuer: string) {
  const started = await startIdentityHost({
    file: join(new TemporaryFolder("wireroom-external-").path, "identity.db"),
    settings: { oidcIssuer, oidcAudience: issuer.audience, oidcClientId: CLIENT_ID },
  });
  afterAll(() => started.close());
  return started;
}
const host = await startHost(issuer.url);
const cutOff = await startHost("http://127.0.0.1:1");

/** A browser that has begun a sign-in, and the request with which the daemon has sent it to the provider. */
class SignIn {
  private constructor(
    readonly browser: Browser,
    readonly request: URLSearchParams,
  ) {}

  static async begin(client = application, { origin } = daemon as { origin: string }): Promise<SignIn> {
    const browser = new Browser((url) => !url.startsWith(`${origin}/`), newSource);
    const { url } = await browser.get(client.authorizationUrl());
    expect(url.startsWith(`${issuer.url}/authorize?`)).toBe(true);
    return new SignIn(browser, new URL(url).searchParams);
  }

  /** Lets the token endpoint return an ID token with these claims besides the valid ones. */
  async issue(claims: Record<string, unknown> = {}): Promise<void> {
    const nonce = this.request.get("nonce");
    returnToken(await issuer.token({ claims: { aud: CLIENT_ID, nonce, ...claims } }));
  }

  /**
   * Sends the response of the provider to the redirect URI. A parameter with the value undefined is left out.
   */
  respond(more: Record<string, string | undefined> = {}, browser = this.browser): Promise<Page> {
    const all = { code: "a code", state: this.request.get("state")!, ...more };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return browser.get(`${this.request.get("redirect_uri")}?${new URLSearchParams(given)}`);
  }
}

function returnToken(idToken: string): void {
  const body = { access_token: "an access token", token_type: "Bearer", expires_in: 60, id_token: idToken };
  issuer.override("/token", { status: 200, body: JSON.stringify(body) });
}

const redemptions = () => issuer.requests["/token"] ?? 0;
const isConsent = (page: Page) => page.status === 200 && page.text.includes('value="approve"');

function expectRefused(page: Page, status: number, text: string): void {
  expect(page).toMatchObject({ status, text: expect.stringContaining(text) });
  expect(isConsent(page)).toBe(false);
}

afterEach(() => {
  vi.useRealTimers();
  issuer.override("/token", undefined);
});

describe("the response of an external provider", () => {
  // [D13-external-sign-in]
  it("is requested with PKCE, state and nonce, and signs the human in", async () => {
    const signIn = await SignIn.begin();
    expect(Object.fromEntries(signIn.request)).toMatchObject({
      client_id: CLIENT_ID,
      redirect_uri: `${daemon.origin}/identity/callback`,
      response_type: "code",
      scope: "openid email",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    await signIn.issue();
    const page = await signIn.respond({ session_state: "of the provider" });
    expect(isConsent(page) && page.text.includes("alice@example.com")).toBe(true);
  });

  // [D13-external-sign-in]
  it("is asked for again after an hour", async () => {
    const client = await Application.register(oauthServer(host));
    const signIn = await SignIn.begin(client, host);
    await signIn.issue();
    expect(isConsent(await signIn.respond())).toBe(true);
    const signedInAt = Date.now();
    const openAfter = (minutes: number) => {
      vi.useFakeTimers({ toFake: ["Date"], now: signedInAt + minutes * 60_000 });
      return signIn.browser.get(client.authorizationUrl());
    };
    expect(isConsent(await openAfter(55))).toBe(true);
    expect((await openAfter(65)).url.startsWith(`${issuer.url}/authorize?`)).toBe(true);
  });

  // [D13-external-response]
  it("is worth nothing in another browser, neither to the sender nor to the victim", async () => {
    const [attacker, victim] = [await SignIn.begin(), await SignIn.begin()];
    await attacker.issue();
    const before = redemptions();
    expectRefused(await attacker.respond({}, victim.browser), 400, "another browser");
    expectRefused(await attacker.respond({}, new Browser(undefined, newSource)), 400, "another browser");
    expect(redemptions()).toBe(before);
  });

  // [D13-external-response]
  it("serves once", async () => {
    const signIn = await SignIn.begin();
    await signIn.issue({ nonce: "another" });
    expectRefused(await signIn.respond(), 400, "does not belong to this sign-in");
    await signIn.issue();
    const before = redemptions();
    expectRefused(await signIn.respond(), 400, "was used before");
    expect(redemptions()).toBe(before);

    const other = await SignIn.begin();
    await other.issue();
    expect(isConsent(await other.respond())).toBe(true);
    expectRefused(await other.respond(), 400, "expired");
  });

  // [D13-external-response]
  it("needs the state of its interaction", async () => {
    const signIn = await SignIn.begin();
    const state = signIn.request.get("state")!;
    const [uid, ...rest] = state.split(".");
    const other = (await SignIn.begin()).request.get("state")!.split(".").slice(1);
    await signIn.issue();
    const before = redemptions();
    for (const forged of [`${uid}`, `${uid}.${other.join(".")}`, `${uid}.${rest[0]}.x`, `${state}x`])
      expectRefused(await signIn.respond({ state: forged }), 400, "does not belong to this sign-in");
    for (const none of [undefined, "", "..", "../../token"])
      expectRefused(await signIn.respond({ state: none }), 400, "belongs to no sign-in");
    expect(redemptions()).toBe(before);
    expect(isConsent(await signIn.respond())).toBe(true);
  });

  // [D13-external-response]
  it("from another issuer is refused before its code is sent anywhere (mix-up)", async () => {
    const signIn = await SignIn.begin();
    await signIn.issue();
    const before = redemptions();
    expectRefused(await signIn.respond({ iss: "https://evil.example" }), 400, "does not belong");
    expect(redemptions()).toBe(before);
  });

  // [D13-external-response] [D13-external-errors]
  it.each<[string, Record<string, unknown>, number]>([
    ["another nonce", { nonce: "another" }, 400],
    ["no nonce", { nonce: undefined }, 400],
    ["the audience of the dashboard", { aud: issuer.audience }, 400],
    ["another authorized party", { aud: [CLIENT_ID, "other"], azp: "other" }, 400],
    ["another issuer", { iss: "https://evil.example" }, 400],
    ["an expiry in the past", { exp: 1_000 }, 400],
    ["no subject", { sub: undefined }, 400],
    ["no e-mail address", { email: undefined }, 403],
    ["an unverified e-mail address", { email_verified: false }, 403],
  ])("with an ID token that has %s signs nobody in", async (_, claims, status) => {
    const signIn = await SignIn.begin();
    await signIn.issue(claims);
    expectRefused(await signIn.respond(), status, "Sign-in failed");
  });

  // [D13-external-response]
  it("with an ID token that the issuer did not sign signs nobody in", async () => {
    const signIn = await SignIn.begin();
    const claims = { sub: "alice", email: "alice@example.com", exp: 9e9, iat: 1, aud: CLIENT_ID };
    const header = { alg: "ES256", typ: "JWT" };
    returnToken(
      forge(header, { ...claims, iss: issuer.url, nonce: signIn.request.get("nonce") }, new Uint8Array(64)),
    );
    expectRefused(await signIn.respond(), 403, "signature");
  });

  // [D13-external-response]
  it("leaves an ID token of the sign-in worthless for dashboard operations", async () => {
    const token = await issuer.token({ claims: { aud: CLIENT_ID } });
    expect((await daemon.client(token).get("/handles")).status).toBe(403);
  });

  // [D13-external-errors]
  it("with an error stays on a page, until the human cancels", async () => {
    const web = await Application.register(daemon, { redirect_uris: ["https://host.example/callback"] });
    const signIn = await SignIn.begin(web);
    const error = { code: undefined, error: "server_error", error_description: "<b>no</b>" };
    const page = await signIn.respond(error);
    expectRefused(page, 400, "could not sign you in");
    expect(page.text).not.toContain("<b>no</b>");
    const back = new URL((await signIn.browser.submit(page, { action: "cancel" })).url);
    expect(back.origin).toBe("https://host.example");
    expect(back.searchParams.get("error")).toBe("access_denied");
  });

  // [D13-external-errors]
  it("is not waited for if the token endpoint fails, and the human tries again", async () => {
    const signIn = await SignIn.begin();
    issuer.override("/token", { status: 400, body: JSON.stringify({ error: "invalid_grant" }) });
    const page = await signIn.respond();
    expectRefused(page, 400, "invalid_grant");
    const leaving = await signIn.browser.submit(page, { action: "sign-in" });
    const url = new URL(leaving.headers.get("refresh")!.replace("0; url=", ""));
    expect(url.searchParams.get("state")).not.toBe(signIn.request.get("state"));
    expect(url.searchParams.get("prompt")).toBeNull();
    // A form serves once.
    const next = await SignIn.begin();
    const other = await next.browser.submit(await next.respond(), { action: "switch" });
    const otherUrl = new URL(other.headers.get("refresh")!.replace("0; url=", ""));
    expect(otherUrl.searchParams.get("prompt")).toBe("select_account");
  });

  // [D13-external-errors]
  it("is not asked for if the provider is unreachable, which a page says", async () => {
    const client = await Application.register(oauthServer(cutOff));
    const browser = new Browser((url) => !url.startsWith(`${cutOff.origin}/`), newSource);
    const page = await browser.get(client.authorizationUrl());
    expectRefused(page, 503, "cannot be reached");
    expect(page.headers.get("retry-after")).toBe("60");
    const back = new URL((await browser.submit(page, { action: "cancel" })).url);
    expect(back.searchParams.get("error")).toBe("access_denied");
  });

  // [D13-external-errors]
  it("and its code are not in the log", () => {
    expect(daemon.log()).not.toContain("a code");
    expect(daemon.log()).not.toContain("an access token");
  });
});
