/** Attacks on the authorization codes and resources of applications (RFC 9700, RFC 8707). */
import { beforeAll, describe, expect, it } from "vitest";
import { identityFixture } from "../harness/identity-fixture.js";
import { Application, OAuthHuman, type OAuthServer, oauthServer } from "../harness/oauth.js";

const host = await identityFixture();
let server: OAuthServer;
let human: OAuthHuman;

beforeAll(async () => {
  server = oauthServer(host);
  human = await OAuthHuman.signUp(server);
  await (await Application.register(server)).connect(human, { newHandle: "victim" });
});

const authenticate = (token: string) => host.service.authenticator.authenticateAgent(token);

describe("an authorization code", () => {
  const authorize = async () => {
    const application = await Application.register(server);
    const back = await human.approve(application.authorizationUrl(), { handle: "victim" });
    return { application, back };
  };

  // [D13-scope] [D13-code]
  it("comes with the issuer and the state, and gives the scope wireroom without an ID token", async () => {
    const application = await Application.register(server, { scope: "openid admin" });
    const url = application.authorizationUrl({
      scope: "openid offline_access admin",
      nonce: "n",
      max_age: "1",
    });
    const back = await human.approve(url, { handle: "victim" });
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.any(String),
      iss: `${host.origin}/identity`,
      state: "state & more=1",
    });
    const { body } = await application.redeem(back);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^wt_[0-9A-Za-z]{43}$/),
      refresh_token: expect.any(String),
      expires_in: 3600,
      scope: "wireroom",
      token_type: "Bearer",
    });
    expect(await authenticate(body.access_token)).toMatchObject({ slug: "victim" });
  });

  // [D13-code] [D13-resource]
  it("is used up by a wrong verifier, a wrong redirect URI and a wrong resource", async () => {
    const attempts: Record<string, string>[] = [
      { code_verifier: "w".repeat(43) },
      { redirect_uri: "http://127.0.0.1:1/callback" },
      { resource: "https://evil.example/mcp" },
      { resource: `${host.origin}/v1` },
    ];
    for (const wrong of attempts) {
      const { application, back } = await authorize();
      expect((await application.redeem(back, wrong)).status, JSON.stringify(wrong)).toBe(400);
      expect((await application.redeem(back)).body.error).toBe("invalid_grant");
    }
  });

  // [D13-code]
  it("that a stranger stole cannot be redeemed, and is used up", async () => {
    const { application, back } = await authorize();
    const thief = await Application.register(server);
    expect((await thief.redeem(back, { code_verifier: application.verifier })).body.error).toBe(
      "invalid_grant",
    );
    expect((await application.redeem(back)).body.error).toBe("invalid_grant");
  });

  // [D13-code]
  it.each(["itself", "another one"])(
    "that is used again ends what it gave, if the application is %s",
    async (who) => {
      const { application, back } = await authorize();
      const { body } = await application.redeem(back);
      await authenticate(body.access_token);
      const second = who === "itself" ? application : await Application.register(server);
      expect((await second.redeem(back)).body.error).toBe("invalid_grant");
      await expect(authenticate(body.access_token)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
      expect((await application.refresh(body.refresh_token)).body.error).toBe("invalid_grant");
    },
  );

  // [D13-code]
  it("that is used again ends what it gave, even if the request lacks a parameter", async () => {
    const { application, back } = await authorize();
    const { body } = await application.redeem(back);
    await authenticate(body.access_token);
    const code = back.searchParams.get("code")!;
    expect((await application.token({ grant_type: "authorization_code", code })).status).toBe(400);
    await expect(authenticate(body.access_token)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });
});

describe("a resource", () => {
  // [D13-resource]
  it.each(["/mcp", "/v1"])("%s is accepted, also with the code and the refresh token", async (path) => {
    const resource = `${host.origin}${path}`;
    const application = await Application.register(server);
    const back = await human.approve(application.authorizationUrl({ resource }), { handle: "victim" });
    const { body } = await application.redeem(back, { resource });
    expect(await authenticate(body.access_token)).toMatchObject({ slug: "victim" });
    const refreshed = await application.refresh(body.refresh_token, { resource });
    expect(refreshed.status).toBe(200);
    const other = `${host.origin}${path === "/mcp" ? "/v1" : "/mcp"}`;
    expect((await application.refresh(refreshed.body.refresh_token, { resource: other })).body.error).toBe(
      "invalid_target",
    );
  });

  // [D13-resource]
  it("may be spelled in another way, and each time in another", async () => {
    const { port } = new URL(host.origin);
    const spellings = ["127.0.0.1", "localhost", "[::1]"].flatMap((name) =>
      ["/mcp", "/mcp/", "/mcp?utm_source=plugin"].map((path) => `http://${name}:${port}${path}`),
    );
    const application = await Application.register(server);
    for (const [index, resource] of spellings.entries()) {
      const other = { resource: spellings.at(index - 1)! };
      const back = await human.approve(application.authorizationUrl({ resource }), { handle: "victim" });
      const { status, body } = await application.redeem(back, other);
      expect(status, resource).toBe(200);
      expect((await application.refresh(body.refresh_token, other)).status, resource).toBe(200);
    }
  });

  // [D13-resource]
  it.each(["/", "", "/v1/inbox", "/identity", "/MCP", "/mcp//", "/mcp#x"])(
    "%j is refused, as one of another server",
    async (path) => {
      const application = await Application.register(server);
      for (const resource of [`${host.origin}${path}`, `https://other.example${path}`]) {
        const { url } = await human.browser.get(application.authorizationUrl({ resource }));
        expect(new URL(url).searchParams.get("error"), resource).toBe("invalid_target");
      }
    },
  );

  it("must not be named twice", async () => {
    const application = await Application.register(server);
    const url = `${application.authorizationUrl({ resource: `${host.origin}/mcp` })}&resource=${host.origin}/v1`;
    expect(new URL((await human.browser.get(url)).url).searchParams.get("error")).toBe("invalid_target");
  });
});
