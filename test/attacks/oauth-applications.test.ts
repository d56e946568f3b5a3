/** Attacks on the connection of an application: redirects, consent, codes and resources (RFC 9700). */
import { beforeAll, describe, expect, it } from "vitest";
import { PASSWORD } from "../harness/identity-client.js";
import { identityFixture } from "../harness/identity-fixture.js";
import {
  Application,
  newSource,
  OAuthHuman,
  type OAuthServer,
  oauthServer,
  REDIRECT,
  register,
} from "../harness/oauth.js";

const host = await identityFixture();
let server: OAuthServer;
let human: OAuthHuman;

beforeAll(async () => {
  server = oauthServer(host);
  human = await OAuthHuman.signUp(server);
  await (await Application.register(server)).connect(human, { newHandle: "victim" });
});

const authenticate = (token: string) => host.service.authenticator.authenticateAgent(token);

describe("a redirect URI", () => {
  // [D13-redirect-uris]
  it.each([
    "http://host.example/callback",
    "http://127.0.0.2/callback",
    "http://0.0.0.0/callback",
    "http://2130706433/callback",
    "http://127.0.0.1@evil.example/callback",
    "https://user@host.example/callback",
    "https://host.example/callback#fragment",
    "https://*.host.example/callback",
    "https://host.example\\@evil.example/",
    "https:host.example/callback",
    "https://host.example/call back",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "myapp://callback",
    "about:blank",
    "//host.example/callback",
    "",
  ])("%j cannot be registered", async (uri) => {
    const { status, body } = await register(server, { redirect_uris: [uri] });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: "invalid_redirect_uri" } });
  });

  // [D13-redirect-uris]
  it.each([
    "https://host.example/callback?x=1",
    "https://host.example:8443/",
    "http://localhost/callback",
    "http://[::1]:3000/callback",
    "https://localhost:3000/callback",
    "com.example.app:/callback",
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "vscode://vscode.github-authentication/did-authenticate",
    "vscode-insiders://x/y",
    "windsurf://vendor.app/cb",
    "claude://claude.ai/mcp-auth-callback/sdk",
    "warp://mcp/cb",
    "kiro://vendor/cb",
    "zed://mcp/cb",
  ])("%j can be registered", async (uri) => {
    expect(await register(server, { redirect_uris: [uri] })).toMatchObject({ status: 201 });
  });

  // [D13-redirect-uris]
  it("that cannot be registered is left out of a list, and cannot be used", async () => {
    const uris = ["myapp://callback", REDIRECT, "javascript:alert(1)", "windsurf://vendor.app/cb"];
    const { body } = await register(server, { redirect_uris: uris });
    expect(body.redirect_uris).toEqual([REDIRECT, "windsurf://vendor.app/cb"]);
    const url = new Application(server, body.client_id, uris[0]).authorizationUrl();
    expect((await human.browser.get(url)).status).toBe(400);
  });

  const REGISTERED = ["https://host.example/callback", "http://127.0.0.1/callback"];

  // [D13-redirect-uris]
  it.each([
    "https://host.example/callback/",
    "https://host.example/Callback",
    "https://host.example/callback%2f",
    "https://host.example/callback/../callback",
    "https://host.example:443/callback",
    "https://host.example:8443/callback",
    "https://HOST.example/callback",
    "https://host.example/callback?next=https://evil.example",
    "https://host.example@evil.example/callback",
    "https://evil.example/callback",
    "http://host.example/callback",
    "http://user@127.0.0.1:1/callback",
    "http://127.0.0.1.evil.example/callback",
    "http://localhost:1/callback",
    "http://127.0.0.1:1/other",
  ])("%s of a request that is not registered is not followed", async (uri) => {
    const application = await Application.register(server, { redirect_uris: REGISTERED });
    const page = await human.browser.get(application.authorizationUrl({ redirect_uri: uri }));
    expect(page.status).toBe(400);
    expect(page.url.startsWith(`${host.origin}/identity/auth`)).toBe(true);
    expect(page.text).not.toContain("href=");
  });

  // [D13-redirect-uris]
  it("on this machine may have any port, beside https ones of the same application", async () => {
    const application = await Application.register(server, { redirect_uris: REGISTERED });
    for (const uri of [REGISTERED[0]!, "http://127.0.0.1:49152/callback"]) {
      const url = application.authorizationUrl({ redirect_uri: uri });
      const back = await human.approve(url, { handle: "victim" });
      expect(back.href.startsWith(`${uri}?code=`)).toBe(true);
    }
  });
});

describe("an error before the human has seen a page", () => {
  const request = { code_challenge_method: "plain" };

  // [D13-no-open-redirect]
  it("is not sent to another site, but shown with a link", async () => {
    const uri = "https://evil.example/landing";
    const application = await Application.register(server, { redirect_uris: [uri] });
    for (const more of [
      request,
      { prompt: "none" },
      { resource: "https://evil.example" },
      { scope: "\u0001" },
      { ...request, response_mode: "fragment" },
      { ...request, response_mode: "form_post", prompt: "none" },
      { response_type: "token" },
      { response_type: "id_token" },
    ]) {
      const page = await human.browser.get(application.authorizationUrl(more));
      expect(page.url.startsWith(`${host.origin}/identity/`), JSON.stringify(more)).toBe(true);
      expect(page.headers.get("location")).toBeNull();
    }
    const page = await human.browser.get(application.authorizationUrl(request));
    expect(page).toMatchObject({ status: 400, text: expect.stringContaining("Go back to") });
  });

  // [D13-no-open-redirect]
  it("shows no text that the application has registered, and is not accepted by POST", async () => {
    const uri = "https://evil.example/?error_description=Your+account+was+locked";
    const application = await Application.register(server, { redirect_uris: [uri] });
    for (const more of [request, { response_type: "token" }]) {
      const { text } = await human.browser.get(application.authorizationUrl(more));
      expect(text).not.toContain("locked</p>");
      expect(text.replaceAll(/href="[^"]*"/g, "")).not.toContain("locked");
    }
    const { pathname, searchParams, origin } = new URL(
      application.authorizationUrl({ response_mode: "form_post" }),
    );
    const posted = await fetch(`${origin}${pathname}`, {
      method: "POST",
      body: searchParams,
      redirect: "manual",
    });
    expect(posted.status).toBe(405);
  });

  it("is sent to this machine, with the issuer and the state", async () => {
    const application = await Application.register(server);
    const { url } = await human.browser.get(application.authorizationUrl(request));
    expect(url.startsWith(REDIRECT)).toBe(true);
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      error: "invalid_request",
      iss: `${host.origin}/identity`,
      state: "state & more=1",
    });
  });
});

describe("the consent", () => {
  // [D13-consent]
  it("names the application, its host and the destination, and offers the handles", async () => {
    const application = await Application.register(server, {
      client_name: "A \u202e name",
      redirect_uris: ["https://host.example/cb"],
    });
    const page = await human.open(application.authorizationUrl());
    expect(page.text).toContain("host.example");
    expect(page.text).toContain("@victim");
    expect(page.text).not.toContain("\u202e");
    const policy = page.headers.get("content-security-policy");
    expect(policy).toContain("form-action 'self' https://host.example;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    expect(page.headers.get("cache-control")).toBe("no-store");
  });

  // [D13-consent]
  it("is asked for again, of the same and of another application, with the handle preselected: confused deputy", async () => {
    const first = await Application.register(server);
    await first.connect(human, { handle: "victim" });
    const again = await human.browser.get(first.authorizationUrl());
    expect(again.text).toContain('value="victim" required');
    expect(again.text).toMatch(/value="victim" required\s+checked/);
    const second = await Application.register(server, { client_name: "The same name" });
    const page = await human.browser.get(second.authorizationUrl());
    expect(page.text).toContain("Connect an application");
    const back = await human.browser.get(second.authorizationUrl({ prompt: "none" }));
    expect(new URL(back.url).searchParams.get("code")).toBeNull();
  });

  // [D13-consent]
  it("is not given by a sign-in or a sign-up", async () => {
    const fresh = human.withNewBrowser();
    const application = await Application.register(server);
    const page = await fresh.browser.get(application.authorizationUrl());
    const next = await fresh.browser.submit(page, {
      email: fresh.email,
      password: PASSWORD,
      action: "sign-in",
    });
    expect(next.text).toContain("Connect an application");
    // The button of Wireroom's own client gives nothing.
    const pressed = await fresh.browser.submit(next, { action: "continue" });
    expect(pressed.text).toContain("Connect an application");
  });

  it("can be refused: the application gets access_denied, and no code", async () => {
    const application = await Application.register(server);
    const back = new URL((await human.press(await human.open(application.authorizationUrl()), "refuse")).url);
    expect(back.searchParams.get("error")).toBe("access_denied");
    expect(back.searchParams.get("iss")).toBe(`${host.origin}/identity`);
  });

  // [D13-form-token]
  it("needs a form token of this page, and accepts it once: CSRF", async () => {
    const application = await Application.register(server);
    const page = await human.open(application.authorizationUrl());
    const approve = { handle: "victim", action: "approve" };
    const other = await human.browser.get((await Application.register(server)).authorizationUrl());
    const foreign = /name="form_token" value="([^"]+)"/.exec(other.text)![1]!;
    for (const form_token of ["", "x", foreign]) {
      const refused = await human.browser.submit(page, { ...approve, form_token }, 1);
      expect(refused, form_token).toMatchObject({
        status: 400,
        text: expect.stringContaining("Connect an application"),
      });
    }
    const answers = await Promise.all([1, 2, 3].map(() => human.browser.submit(page, approve, 1)));
    const codes = answers.filter(({ url }) => new URL(url).searchParams.has("code"));
    expect(codes).toHaveLength(1);
  });

  // [D13-consent]
  it("cannot be given for the handle of another human, a suspended or an unknown one", async () => {
    const stranger = await OAuthHuman.signUp(server);
    const application = await Application.register(server);
    for (const handle of ["victim", "nobody-at-all"]) {
      const form = await stranger.open(application.authorizationUrl());
      const answer = await stranger.browser.submit(form, { handle, action: "approve" }, 1);
      expect([403, 404]).toContain(answer.status);
      expect(answer.text).toContain("Connect an application");
    }
  });

  it("shows why a new handle cannot be created, and creates the next one", async () => {
    const application = await Application.register(server);
    const page = await human.open(application.authorizationUrl());
    const taken = await human.press(page, "approve", { newHandle: "victim" });
    expect(taken).toMatchObject({ status: 400, text: expect.stringContaining("victim") });
    const back = new URL((await human.press(taken, "approve", { newHandle: "second-handle" })).url);
    const { body } = await application.redeem(back);
    expect(await authenticate(body.access_token)).toMatchObject({ slug: "second-handle" });
  });

  it("of one human cannot be used by another, who takes over the address of the page", async () => {
    const application = await Application.register(server);
    const page = await human.open(application.authorizationUrl());
    const stranger = await OAuthHuman.signUp(server);
    await stranger.open((await Application.register(server)).authorizationUrl());
    expect(await stranger.browser.get(page.url)).toMatchObject({ status: 400 });
    const forged = await stranger.browser.submit(page, { handle: "victim", action: "approve" }, 1);
    expect(new URL(forged.url).searchParams.has("code")).toBe(false);
  });

  it("after changing the account is for that account's handles alone", async () => {
    const second = await OAuthHuman.signUp(server);
    const application = await Application.register(server);
    const page = await human.withNewBrowser().open(application.authorizationUrl());
    expect(page.text).toContain("@victim");
    const own = await second.open(application.authorizationUrl());
    expect(own.text).not.toContain("@victim");
  });
});

it("an access token gives nothing at the userinfo endpoint, and no dashboard operation", async () => {
  const application = await Application.register(server);
  const { access_token: token } = await application.connect(human, { handle: "victim" });
  const authorization = `Bearer ${token}`;
  const userinfo = await fetch(`${host.origin}/identity/me`, { headers: { authorization } });
  expect(userinfo.status).toBe(403);
  await expect(host.identity.verify(authorization)).rejects.toMatchObject({ code: "FORBIDDEN" });
});

describe("Wireroom's own client", () => {
  it("cannot be imitated by a registration or a document", async () => {
    const { body } = await register(server, {
      client_id: "wireroom-cli",
      redirect_uris: ["https://evil.example/"],
    });
    expect(body.client_id).not.toBe("wireroom-cli");
  });

  it("gets no token for a handle: it has no resource", async () => {
    const cli = new Application(server, "wireroom-cli");
    const url = cli.authorizationUrl({ resource: `${host.origin}/mcp`, scope: "openid wireroom" });
    const { url: back } = await human.browser.get(url);
    expect(new URL(back).searchParams.get("error")).toBe("invalid_target");
  });

  // [D10-grants]
  it.each([
    ["device/auth", "invalid_request"],
    ["token", "unauthorized_client"],
  ])("alone may use other grants than codes: %s", async (path, error) => {
    const { clientId } = await Application.register(server);
    const fields = { client_id: clientId, grant_type: "urn:wireroom:params:oauth:grant-type:password" };
    const response = await fetch(`${host.origin}/identity/${path}`, {
      method: "POST",
      headers: { "x-forwarded-for": newSource() },
      body: new URLSearchParams({ ...fields, username: human.email, password: PASSWORD }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error });
  });
});
