/**
 * The OAuth flow of an application whose human signs in at an external provider, which is oidc-provider here.
 */
import { afterAll, describe, expect, it } from "vitest";
import { discoverProvider } from "../../cli/services/sign-in/provider-discovery.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import {
  FOREIGN_CLIENT,
  ForeignHuman,
  foreignDaemon,
  startForeignIssuer,
} from "../harness/foreign-issuer.js";
import { sdkToolCaller } from "../harness/mcp.js";
import { Application, REDIRECT } from "../harness/oauth.js";
import { MemoryProvider, OAUTH_CLIENTS } from "../harness/oauth-clients.js";

const issuer = await startForeignIssuer();
afterAll(() => issuer.close());
const { daemon } = await daemonFixture([], foreignDaemon(issuer, "wireroom-cli"));
await issuer.serve(daemon);

const human = (login: string) => new ForeignHuman(daemon, issuer, login);
const fetchJson = async (path: string) => (await fetch(`${daemon.origin}${path}`)).json();

describe("with a client at an external provider", () => {
  // [D13-external-sign-in] [D13-flow]
  it("an official MCP client registers, the human signs in there, and a tool is called", async () => {
    const provider = new MemoryProvider();
    const { connect, Unauthorized } = OAUTH_CLIENTS["the 2.x client"];
    const first = connect(daemon, provider);
    await expect(first.connected).rejects.toThrow(Unauthorized);
    const page = await human("ada").open(provider.authorizationUrl!);
    expect(page.text).toContain("ada@example.com");
    const back = await human("ada").approve(provider.authorizationUrl!, { newHandle: "ada-agent" });
    expect(back.href.startsWith(REDIRECT)).toBe(true);
    expect(back.searchParams.get("iss")).toBe(`${daemon.origin}/identity`);
    await first.finish(back);

    const { client, connected } = connect(daemon, provider);
    await connected;
    const result = await sdkToolCaller(client).call("update_profile", {});
    expect(result).toMatchObject({ isError: false, body: { slug: "ada-agent" } });
    await client.close();
    await expect.poll(() => daemon.log()).toContain('"outcome":"signed in"');
    expect(daemon.log()).not.toContain(FOREIGN_CLIENT.secret);
  });

  // [D13-external-sign-in]
  it("the account is the same at each sign-in, and the connection is refreshed", async () => {
    const application = await Application.register(daemon);
    const tokens = await application.connect(human("grace"), { newHandle: "grace-agent" });
    const { body } = await application.refresh(tokens.refresh_token);
    expect((await daemon.client(body.access_token).get("/profile")).body).toMatchObject({
      slug: "grace-agent",
    });
    // In another browser, the human finds the handle.
    const again = await (await Application.register(daemon)).connect(human("grace"), {
      handle: "grace-agent",
    });
    expect((await daemon.client(again.access_token).get("/profile")).body).toMatchObject({
      slug: "grace-agent",
    });
  });

  // [D13-external-sign-in]
  it("the daemon is the authorization server, and has no client of its own", async () => {
    const server = `${daemon.origin}/identity`;
    const resource = "/.well-known/oauth-protected-resource";
    expect(await fetchJson(`${resource}/mcp`)).toMatchObject({
      authorization_servers: [server],
      scopes_supported: ["wireroom"],
    });
    const metadata = await fetchJson("/.well-known/oauth-authorization-server/identity");
    expect(metadata).toMatchObject({ issuer: server, registration_endpoint: `${server}/reg` });
    expect(metadata).not.toHaveProperty("device_authorization_endpoint");
    const { headers } = await fetch(`${daemon.origin}/mcp`);
    expect(headers.get("www-authenticate")).toContain(`resource_metadata="${daemon.origin}${resource}/mcp"`);
    const own = new Application(daemon, "wireroom-cli", "http://127.0.0.1/callback");
    expect((await fetch(own.authorizationUrl())).status).toBe(400);
  });

  // [C-provider-published]
  it("the command line signs in at the external provider itself", async () => {
    expect(await discoverProvider(daemon.base)).toEqual({ issuer: issuer.url, clientId: "wireroom-cli" });
  });

  // [D13-external-sign-in]
  it("the human uses another account of the provider", async () => {
    const [application, ada] = [await Application.register(daemon), human("ada")];
    const consent = await ada.open(application.authorizationUrl());
    const leaving = await ada.press(consent, "switch");
    const [, url] = /^0; url=(.*)$/.exec(leaving.headers.get("refresh")!)!;
    expect(new URL(url!).searchParams.get("prompt")).toBe("login");
    const page = await ada.signIn(await ada.browser.get(url!), "lin");
    expect(page.text).toContain("lin@example.com");
    expect(page.text).not.toContain("ada@example.com");
  });

  // [D13-external-errors]
  it("a refusal at the provider is shown, and the application is told", async () => {
    const [application, ada] = [await Application.register(daemon), human("ada")];
    const form = await ada.browser.get(application.authorizationUrl());
    const page = await ada.browser.get(`${form.url}/abort`);
    expect(page).toMatchObject({ status: 403, text: expect.stringContaining("was refused") });
    const back = new URL((await ada.browser.submit(page, { action: "cancel" })).url);
    expect(back.searchParams.get("error")).toBe("access_denied");
    expect(back.searchParams.get("state")).toBe("state & more=1");
  });

  // [D13-external-errors]
  it("an unverified e-mail address is no account, and another one may be used", async () => {
    const [application, ada] = [await Application.register(daemon), human("unverified")];
    const page = await ada.open(application.authorizationUrl());
    expect(page).toMatchObject({ status: 403, text: expect.stringContaining("is not verified") });
    expect((await ada.browser.submit(page, { action: "switch" })).headers.get("refresh")).toContain(
      issuer.url,
    );
  });
});
