/** The OAuth flow of the official MCP clients, which start from nothing but the URL of the MCP endpoint. */
import { describe, expect, it } from "vitest";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { sdkToolCaller } from "../harness/mcp.js";
import { Application, OAUTH_DAEMON, OAuthHuman, REDIRECT } from "../harness/oauth.js";
import { MemoryProvider, OAUTH_CLIENTS } from "../harness/oauth-clients.js";

const { daemon } = await daemonFixture([], OAUTH_DAEMON);

// [D13-refresh-grace] [D13-refresh-reuse]
it("an application refreshes its tokens, and a replayed refresh token ends its connection", async () => {
  const human = await OAuthHuman.signUp(daemon);
  const application = await Application.register(daemon);
  const first = await application.connect(human, { newHandle: "refreshing" });
  const [{ body: second }, { body: third }] = await Promise.all([
    application.refresh(first.refresh_token),
    application.refresh(first.refresh_token),
  ]);
  for (const { access_token } of [first, second, third])
    expect((await daemon.client(access_token).get("/profile")).body).toMatchObject({ slug: "refreshing" });
  const { body: fourth } = await application.refresh(second.refresh_token);
  expect((await application.refresh(first.refresh_token)).body.error).toBe("invalid_grant");
  for (const { access_token } of [first, second, third, fourth])
    expect((await daemon.client(access_token).get("/profile")).status).toBe(401);
  expect((await application.refresh(fourth.refresh_token)).body.error).toBe("invalid_grant");
});

// [D13-connection-ends]
it("a connection that its human revokes, or whose handle is retired, is not refreshed", async () => {
  const human = await OAuthHuman.signUp(daemon);
  const application = await Application.register(daemon);
  const owner = daemon.client(await human.idToken());
  for (const ending of ["revoked", "retired"]) {
    const slug = `${ending}-handle`;
    const tokens = await application.connect(human, { newHandle: slug });
    const { body } = await owner.get("/connections");
    const { id } = body.connections.find(({ handle }: { handle: string }) => handle === slug);
    const path = ending === "revoked" ? `/connections/${id}` : `/handles/${slug}`;
    expect((await owner.delete(path)).status).toBe(200);
    expect((await daemon.client(tokens.access_token).get("/profile")).status).toBe(401);
    expect((await application.refresh(tokens.refresh_token)).body.error).toBe("invalid_grant");
  }
});

it("the 2.x client refuses the response of another issuer: mix-up (RFC 9207)", async () => {
  const provider = new MemoryProvider();
  const { connect, Unauthorized } = OAUTH_CLIENTS["the 2.x client"];
  const { connected, finish } = connect(daemon, provider);
  await expect(connected).rejects.toThrow(Unauthorized);
  const human = await OAuthHuman.signUp(daemon);
  const back = await human.approve(provider.authorizationUrl!, { newHandle: "mixed-up" });
  back.searchParams.set("iss", "https://evil.example");
  await expect(finish(back)).rejects.toThrow();
  expect(provider.tokens()).toBeUndefined();
});

describe.each(Object.entries(OAUTH_CLIENTS))("%s", (name, { connect, Unauthorized }) => {
  // [D13-flow]
  it("registers, lets the human approve, and calls a tool as the chosen handle", async () => {
    const provider = new MemoryProvider();
    const first = connect(daemon, provider);
    await expect(first.connected).rejects.toThrow(Unauthorized);
    const human = await OAuthHuman.signUp(daemon);
    const slug = name.includes("1.x") ? "legacy" : "modern";
    const back = await human.approve(provider.authorizationUrl!, { newHandle: slug });
    expect(back.href.startsWith(REDIRECT)).toBe(true);
    expect(back.searchParams.get("state")).toBe("a state");
    await first.finish(back);

    const { client, connected } = connect(daemon, provider);
    await connected;
    const tool = sdkToolCaller(client);
    expect(await tool.call("update_profile", {})).toMatchObject({ isError: false, body: { slug } });
    await client.close();
  });
});
