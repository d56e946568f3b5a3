/** The OAuth flow of the official MCP clients, which start from nothing but the URL of the MCP endpoint. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
  UnauthorizedError as ModernUnauthorized,
} from "@modelcontextprotocol/client";
import { UnauthorizedError as LegacyUnauthorized } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it } from "vitest";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { mcpUrl, sdkToolCaller } from "../harness/mcp.js";
import { Application, OAUTH_DAEMON, OAuthHuman, REDIRECT } from "../harness/oauth.js";

const { daemon } = await daemonFixture([], OAUTH_DAEMON);

/** Keeps what a client stores, and the URL to which it sends the human. */
class MemoryProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = {
    client_name: "A test",
    redirect_uris: [REDIRECT],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  authorizationUrl?: URL;
  // biome-ignore lint/suspicious/noExplicitAny: the two clients have types of their own
  private readonly stored: Record<string, any> = {};
  state = () => "a state";
  clientInformation = () => this.stored.client;
  saveClientInformation = (client: unknown) => void Object.assign(this.stored, { client });
  tokens = () => this.stored.tokens;
  saveTokens = (tokens: unknown) => void Object.assign(this.stored, { tokens });
  codeVerifier = () => this.stored.verifier as string;
  saveCodeVerifier = (verifier: string) => void Object.assign(this.stored, { verifier });
  redirectToAuthorization(url: URL) {
    this.authorizationUrl = url;
  }
}

const NAME = { name: "oauth-test", version: "1.0.0" };

const clients = {
  "the 1.x client": {
    Unauthorized: LegacyUnauthorized,
    connect(provider: MemoryProvider) {
      const client = new LegacyClient(NAME);
      const transport = new LegacyTransport(mcpUrl(daemon), { authProvider: provider });
      const finish = (back: URL) => transport.finishAuth(back.searchParams.get("code")!);
      return { client, finish, connected: client.connect(transport as never) };
    },
  },
  "the 2.x client": {
    Unauthorized: ModernUnauthorized,
    connect(provider: MemoryProvider) {
      const client = new ModernClient(NAME, { versionNegotiation: { mode: "auto" } });
      const transport = new ModernTransport(mcpUrl(daemon), { authProvider: provider });
      const finish = (back: URL) => transport.finishAuth(back.searchParams);
      return { client, finish, connected: client.connect(transport) };
    },
  },
};

it("an application refreshes its tokens, and a replayed refresh token ends its connection [D13-refresh-grace] [D13-refresh-reuse]", async () => {
  const human = await OAuthHuman.signUp(daemon);
  const application = await Application.register(daemon);
  const first = await application.connect(human, { newHandle: "refreshing" });
  const [{ body: second }, { body: third }] = await Promise.all([
    application.refresh(first.refresh_token),
    application.refresh(first.refresh_token),
  ]);
  for (const { access_token } of [first, second, third])
    expect((await daemon.client(access_token).get("/profile")).body).toMatchObject({ slug: "refreshing" });
  expect((await application.refresh(first.refresh_token)).body.error).toBe("invalid_grant");
  for (const { access_token } of [first, second, third])
    expect((await daemon.client(access_token).get("/profile")).status).toBe(401);
  expect((await application.refresh(third.refresh_token)).body.error).toBe("invalid_grant");
});

describe.each(Object.entries(clients))("%s", (name, { connect, Unauthorized }) => {
  it("registers, lets the human approve, and calls a tool as the chosen handle [D13-flow]", async () => {
    const provider = new MemoryProvider();
    const first = connect(provider);
    await expect(first.connected).rejects.toThrow(Unauthorized);
    const human = await OAuthHuman.signUp(daemon);
    const slug = name.includes("1.x") ? "legacy" : "modern";
    const back = await human.approve(provider.authorizationUrl!, { newHandle: slug });
    expect(back.href.startsWith(REDIRECT)).toBe(true);
    expect(back.searchParams.get("state")).toBe("a state");
    await first.finish(back);

    const { client, connected } = connect(provider);
    await connected;
    const tool = sdkToolCaller(client);
    expect(await tool.call("update_profile", {})).toMatchObject({ isError: false, body: { slug } });
    await client.close();
  });
});
